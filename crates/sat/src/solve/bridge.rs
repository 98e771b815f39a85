//! Bridge to CaDiCaL. It adds an external propagator (IPASIR-UP), which rustsat's interface lacks, and a tracer that
//! receives the steps of a proof.
//!
//! `bridge.cpp` beside this file is compiled against the headers of the CaDiCaL that rustsat-cadical builds, and linked
//! with that library. The program therefore contains one CaDiCaL, and both interfaces may be used at the same time. The
//! solver owns its propagator.
//!
//! # References
//!
//! - Katalin Fazekas, Aina Niemetz, Mathias Preiner, Markus Kirchweger, Stefan Szeider, Armin Biere: *IPASIR-UP: User
//!   Propagators for CDCL*, SAT 2023.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::slice;

use crate::proof::Tracer;

// The crate `rustsat_cadical` contains the CaDiCaL library that the bridge is linked with.
extern crate rustsat_cadical as _;

/// External propagator, which the solver calls during its search. Literals are DIMACS literals, with variables counted
/// from 1.
pub trait Propagator {
    /// True if the propagator takes part in the search. If false, the solver only calls [`Self::over`], which can end
    /// the search.
    const PROPAGATES: bool = true;

    /// Receives literals that became true, in order. A literal of decision level 0 may be received again.
    fn assigned(&mut self, literals: &[i32]);
    /// Records that the solver begins a new decision level.
    fn new_level(&mut self);
    /// Undoes all assignments above decision level `level`.
    fn backtrack(&mut self, level: usize);
    /// Returns a literal that must be true, or 0 if the propagator implies no literal now.
    fn propagate(&mut self) -> i32;
    /// Writes the reason of a propagated literal to `clause`. The reason contains this literal, and all its other
    /// literals are false.
    fn reason(&mut self, propagated: i32, clause: &mut Vec<i32>);
    /// Writes to `clause` a new clause that the model must satisfy. Returns false if the propagator has no new clause.
    fn clause(&mut self, clause: &mut Vec<i32>) -> bool;
    /// Checks a model of all clauses. Returns true if the propagator accepts it. Otherwise, the method `clause` must
    /// provide a clause that excludes the model.
    fn check(&mut self, model: &[i32]) -> bool;
    /// True if the search must end.
    fn over(&mut self) -> bool;
}

/// Outcome of [`Solver::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BridgeStatus {
    Satisfiable,
    Unsatisfiable,
    Stopped,
    OutOfMemory,
}

/// Error for a call that failed because the solver has no memory left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// Data of the bridge's callbacks: the propagator, and the clause that is being passed to the solver, literal by
/// literal.
struct Host<P> {
    propagator: P,
    clause: Vec<i32>,
    next: usize,
    /// Literal whose reason is being passed to the solver; 0 for none.
    explained: i32,
    tracer: Option<Box<dyn Tracer>>,
}

/// Solver with its propagator.
pub struct Solver<P: Propagator> {
    bridge: NonNull<c_void>,
    // The host was created from a box. The solver holds the same pointer; Rust code dereferences it only between calls.
    host: NonNull<Host<P>>,
}

// SAFETY: CaDiCaL has no state outside the solver, and no state that belongs to a thread.
unsafe impl<P: Propagator + Send> Send for Solver<P> {}

#[repr(C)]
struct Calls {
    assigned: unsafe extern "C" fn(*mut c_void, *const c_int, usize),
    new_level: unsafe extern "C" fn(*mut c_void),
    backtrack: unsafe extern "C" fn(*mut c_void, usize),
    propagate: unsafe extern "C" fn(*mut c_void) -> c_int,
    reason: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    has_clause: unsafe extern "C" fn(*mut c_void) -> c_int,
    clause: unsafe extern "C" fn(*mut c_void) -> c_int,
    check: unsafe extern "C" fn(*mut c_void, *const c_int, usize) -> c_int,
    terminate: unsafe extern "C" fn(*mut c_void) -> c_int,
}

#[repr(C)]
struct Trace {
    original: unsafe extern "C" fn(*mut c_void, i64, *const c_int, usize, c_int),
    derived: unsafe extern "C" fn(*mut c_void, i64, c_int, *const c_int, usize, *const i64, usize),
    deleted: unsafe extern "C" fn(*mut c_void, i64, *const c_int, usize),
    weakened: unsafe extern "C" fn(*mut c_void, i64),
}

unsafe extern "C" {
    fn hamcnf_bridge_signature() -> *const c_char;
    fn hamcnf_bridge_new(host: *mut c_void, calls: *const Calls, propagates: c_int) -> *mut c_void;
    fn hamcnf_bridge_trace(bridge: *mut c_void, calls: *const Trace, antecedents: c_int) -> c_int;
    fn hamcnf_bridge_limit(bridge: *mut c_void, name: *const c_char, value: c_int) -> c_int;
    fn hamcnf_bridge_delete(bridge: *mut c_void);
    fn hamcnf_bridge_set(bridge: *mut c_void, option: *const c_char, value: c_int) -> c_int;
    fn hamcnf_bridge_configure(bridge: *mut c_void, name: *const c_char) -> c_int;
    fn hamcnf_bridge_add(bridge: *mut c_void, literals: *const c_int, count: usize) -> c_int;
    fn hamcnf_bridge_observe(bridge: *mut c_void, variable: c_int) -> c_int;
    fn hamcnf_bridge_phase(bridge: *mut c_void, literal: c_int) -> c_int;
    fn hamcnf_bridge_solve(bridge: *mut c_void) -> c_int;
    fn hamcnf_bridge_value(bridge: *mut c_void, variable: c_int) -> c_int;
    fn hamcnf_bridge_statistic(bridge: *mut c_void, name: *const c_char) -> i64;
}

/// Callbacks of the bridge. Each callback gets the host with which the bridge was created. The host lives as long as
/// the bridge. Callbacks run only during a call into the solver, when no other reference to the host exists. They
/// receive only valid literals.
mod calls {
    use super::*;

    unsafe fn host<'h, P>(host: *mut c_void) -> &'h mut Host<P> {
        // SAFETY: the pointer is the bridge's host, and no other reference to it exists.
        unsafe { &mut *host.cast::<Host<P>>() }
    }

    unsafe fn literals<'l>(first: *const c_int, count: usize) -> &'l [i32] {
        // SAFETY: the caller of this function upholds the same contract.
        unsafe { numbers(first, count) }
    }

    unsafe fn numbers<'l, T>(first: *const T, count: usize) -> &'l [T] {
        match count {
            // An empty vector may have a null pointer.
            0 => &[],
            // SAFETY: the pointer and the count describe valid numbers.
            _ => unsafe { slice::from_raw_parts(first, count) },
        }
    }

    unsafe fn tracer<'h, P: 'h>(host: *mut c_void) -> Option<&'h mut dyn Tracer> {
        // SAFETY: the caller of this function upholds the same contract.
        let host = unsafe { self::host::<P>(host) };
        match &mut host.tracer {
            Some(tracer) => Some(tracer.as_mut()),
            None => None,
        }
    }

    pub(super) unsafe extern "C" fn original<P: Propagator>(
        to: *mut c_void,
        id: i64,
        first: *const c_int,
        count: usize,
        restored: c_int,
    ) {
        // SAFETY: called by the bridge, with valid arguments.
        let (tracer, clause) = unsafe { (tracer::<P>(to), literals(first, count)) };
        if let Some(tracer) = tracer {
            tracer.original(id, clause, restored != 0);
        }
    }

    pub(super) unsafe extern "C" fn derived<P: Propagator>(
        to: *mut c_void,
        id: i64,
        witness: c_int,
        first: *const c_int,
        count: usize,
        first_antecedent: *const i64,
        antecedents: usize,
    ) {
        // SAFETY: called by the bridge, with valid arguments.
        let (tracer, clause, antecedents) = unsafe {
            let antecedents = numbers(first_antecedent, antecedents);
            (tracer::<P>(to), literals(first, count), antecedents)
        };
        if let Some(tracer) = tracer {
            tracer.derived(id, witness, clause, antecedents);
        }
    }

    pub(super) unsafe extern "C" fn deleted<P: Propagator>(
        to: *mut c_void,
        id: i64,
        first: *const c_int,
        count: usize,
    ) {
        // SAFETY: called by the bridge, with valid arguments.
        let (tracer, clause) = unsafe { (tracer::<P>(to), literals(first, count)) };
        if let Some(tracer) = tracer {
            tracer.deleted(id, clause);
        }
    }

    pub(super) unsafe extern "C" fn weakened<P: Propagator>(to: *mut c_void, id: i64) {
        // SAFETY: called by the bridge, with valid arguments.
        if let Some(tracer) = unsafe { tracer::<P>(to) } {
            tracer.weakened(id);
        }
    }

    pub(super) unsafe extern "C" fn assigned<P: Propagator>(to: *mut c_void, first: *const c_int, count: usize) {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.assigned(literals(first, count)) }
    }

    pub(super) unsafe extern "C" fn new_level<P: Propagator>(to: *mut c_void) {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.new_level() }
    }

    pub(super) unsafe extern "C" fn backtrack<P: Propagator>(to: *mut c_void, level: usize) {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.backtrack(level) }
    }

    pub(super) unsafe extern "C" fn propagate<P: Propagator>(to: *mut c_void) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.propagate() }
    }

    pub(super) unsafe extern "C" fn reason<P: Propagator>(to: *mut c_void, propagated: c_int) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        let host = unsafe { host::<P>(to) };
        if host.explained != propagated {
            host.explained = propagated;
            host.clause.clear();
            host.next = 0;
            host.propagator.reason(propagated, &mut host.clause);
        }
        let literal = host.hand_over();
        if literal == 0 {
            host.explained = 0;
        }
        literal
    }

    pub(super) unsafe extern "C" fn has_clause<P: Propagator>(to: *mut c_void) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        let host = unsafe { host::<P>(to) };
        host.clause.clear();
        host.next = 0;
        host.propagator.clause(&mut host.clause).into()
    }

    pub(super) unsafe extern "C" fn clause<P: Propagator>(to: *mut c_void) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).hand_over() }
    }

    pub(super) unsafe extern "C" fn check<P: Propagator>(to: *mut c_void, first: *const c_int, count: usize) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.check(literals(first, count)).into() }
    }

    pub(super) unsafe extern "C" fn terminate<P: Propagator>(to: *mut c_void) -> c_int {
        // SAFETY: called by the bridge, with valid arguments.
        unsafe { host::<P>(to).propagator.over().into() }
    }
}

impl<P> Host<P> {
    /// Returns the next literal of the clause that is being passed to the solver, or 0 at its end.
    fn hand_over(&mut self) -> i32 {
        let literal = self.clause.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        literal
    }
}

impl<P: Propagator> Solver<P> {
    /// Creates a solver without clauses. Returns `None` if the memory is exhausted.
    ///
    /// # Panics
    ///
    /// Panics if the library is not the version of CaDiCaL that the bridge was compiled for. The tests check the
    /// version.
    pub fn new(propagator: P) -> Option<Self> {
        // SAFETY: the pointer is a string literal of the library.
        let signature = unsafe { CStr::from_ptr(hamcnf_bridge_signature()) };
        assert_eq!(signature, c"cadical-2.2.1", "the library is the bridge's");
        let host = NonNull::from(Box::leak(Box::new(Host {
            propagator,
            clause: Vec::new(),
            next: 0,
            explained: 0,
            tracer: None,
        })));
        let calls = Calls {
            assigned: calls::assigned::<P>,
            new_level: calls::new_level::<P>,
            backtrack: calls::backtrack::<P>,
            propagate: calls::propagate::<P>,
            reason: calls::reason::<P>,
            has_clause: calls::has_clause::<P>,
            clause: calls::clause::<P>,
            check: calls::check::<P>,
            terminate: calls::terminate::<P>,
        };
        // SAFETY: the table is copied, and the host does not move until the solver is deleted.
        let bridge = unsafe { hamcnf_bridge_new(host.as_ptr().cast(), &raw const calls, P::PROPAGATES.into()) };
        let Some(bridge) = NonNull::new(bridge) else {
            // SAFETY: no other pointer to the host is in use.
            drop(unsafe { Box::from_raw(host.as_ptr()) });
            return None;
        };
        Some(Self { bridge, host })
    }

    /// Sets an option. Returns false if the option or its value is invalid.
    pub fn set(&mut self, option: &CStr, value: i32) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_set(self.bridge.as_ptr(), option.as_ptr(), value) != 0 }
    }

    /// Attaches a tracer, which receives the steps of a proof with or without antecedents. Call this before adding
    /// clauses.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn trace(&mut self, tracer: Box<dyn Tracer>, antecedents: bool) -> Result<(), OutOfMemory> {
        // SAFETY: no call into the solver is running.
        unsafe { self.host.as_mut() }.tracer = Some(tracer);
        let calls = Trace {
            original: calls::original::<P>,
            derived: calls::derived::<P>,
            deleted: calls::deleted::<P>,
            weakened: calls::weakened::<P>,
        };
        let bridge = self.bridge.as_ptr();
        // SAFETY: the table is copied, and the host does not move until the solver is deleted.
        match unsafe { hamcnf_bridge_trace(bridge, &raw const calls, antecedents.into()) } {
            0 => Err(OutOfMemory),
            _ => Ok(()),
        }
    }

    /// Sets the limit with this name for the next search. Returns false if the name is unknown.
    pub fn limit(&mut self, name: &CStr, value: i32) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_limit(self.bridge.as_ptr(), name.as_ptr(), value) != 0 }
    }

    /// Sets the options of the configuration with this name. Returns false if the name is unknown.
    pub fn configure(&mut self, name: &CStr) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_configure(self.bridge.as_ptr(), name.as_ptr()) != 0 }
    }

    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn add(&mut self, clause: &[i32]) -> Result<(), OutOfMemory> {
        let (first, count) = (clause.as_ptr(), clause.len());
        // SAFETY: the bridge lives as long as `self`, and only reads the clause during the call.
        match unsafe { hamcnf_bridge_add(self.bridge.as_ptr(), first, count) } {
            0 => Err(OutOfMemory),
            _ => Ok(()),
        }
    }

    /// Makes the solver report assignments of this variable to the propagator from now on.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn observe(&mut self, variable: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        match unsafe { hamcnf_bridge_observe(self.bridge.as_ptr(), variable) } {
            0 => Err(OutOfMemory),
            _ => Ok(()),
        }
    }

    /// Makes the solver set this literal to true whenever it decides the literal's variable.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn phase(&mut self, literal: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        match unsafe { hamcnf_bridge_phase(self.bridge.as_ptr(), literal) } {
            0 => Err(OutOfMemory),
            _ => Ok(()),
        }
    }

    /// Searches for a model that the propagator accepts.
    pub fn solve(&mut self) -> BridgeStatus {
        // SAFETY: the bridge lives as long as `self`.
        match unsafe { hamcnf_bridge_solve(self.bridge.as_ptr()) } {
            10 => BridgeStatus::Satisfiable,
            20 => BridgeStatus::Unsatisfiable,
            -1 => BridgeStatus::OutOfMemory,
            _ => BridgeStatus::Stopped,
        }
    }

    /// True if a variable is true in the model found.
    pub fn value(&self, variable: i32) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_value(self.bridge.as_ptr(), variable) > 0 }
    }

    /// Returns a statistic of the solver by name, or 0 if the name is unknown.
    pub fn statistic(&self, name: &CStr) -> u64 {
        // SAFETY: the bridge lives as long as `self`.
        let count = unsafe { hamcnf_bridge_statistic(self.bridge.as_ptr(), name.as_ptr()) };
        u64::try_from(count).unwrap_or(0)
    }

    pub fn propagator(&mut self) -> &mut P {
        // SAFETY: no call into the solver is running, since it would borrow `self`.
        unsafe { &mut self.host.as_mut().propagator }
    }
}

impl<P: Propagator> Drop for Solver<P> {
    fn drop(&mut self) {
        // SAFETY: neither pointer is used after this. The solver may call its propagator until it is deleted, which
        // happens first. A broken solver is not deleted, but it is never called again.
        unsafe {
            hamcnf_bridge_delete(self.bridge.as_ptr());
            drop(Box::from_raw(self.host.as_ptr()));
        }
    }
}
