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
/// from 1. By default, a propagator only ends the search.
pub trait Propagator {
    /// True if the propagator takes part in the search. If false, the solver only calls [`Self::over`], which can end
    /// the search.
    const PROPAGATES: bool = true;

    /// Receives literals that became true, in order. A literal of decision level 0 may be received again.
    fn assigned(&mut self, _literals: &[i32]) {}

    /// Records that the solver begins a new decision level.
    fn new_level(&mut self) {}

    /// Undoes all assignments above decision level `level`.
    fn backtrack(&mut self, _level: usize) {}

    /// Returns a literal that must be true, or 0 if the propagator implies no literal now.
    fn propagate(&mut self) -> i32 {
        0
    }

    /// Writes the reason of a propagated literal to `clause`. The reason contains this literal, and all its other
    /// literals are false.
    fn reason(&mut self, _propagated: i32, _clause: &mut Vec<i32>) {}

    /// Writes to `clause` a new clause that the model must satisfy. Returns false if the propagator has no new clause.
    fn clause(&mut self, _clause: &mut Vec<i32>) -> bool {
        false
    }

    /// Checks a model of all clauses. Returns true if the propagator accepts it. Otherwise, the method `clause` must
    /// provide a clause that excludes the model.
    fn check(&mut self, _model: &[i32]) -> bool {
        true
    }

    /// True if the search must end.
    fn over(&mut self) -> bool;
}

/// Outcome of [`Solver::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverStatus {
    /// The solver found a model.
    Satisfiable,
    /// The solver proved that no model exists.
    Unsatisfiable,
    /// The search ended at a limit, or was cancelled.
    Stopped,
}

/// Statistics of a solver, summed over all its searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub conflicts: u64,
    pub decisions: u64,
    /// Number of propagated literals.
    pub propagations: u64,
    /// Approximate number of cache lines touched. It measures time independently of the load.
    pub ticks: u64,
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

/// Defines tables of callbacks. Each callback gets the host with which the bridge was created. The host lives as long as
/// the bridge. Callbacks run only during a call into the solver, when no other reference to the host exists.
macro_rules! callbacks {
    ($($table:ident { $($name:ident($host:ident $(, $argument:ident: $type:ty)*) $(-> $result:ty)? $body:block)* })*) => {
        $(
            #[repr(C)]
            struct $table {
                $($name: unsafe extern "C" fn(*mut c_void $(, $type)*) $(-> $result)?,)*
            }

            impl $table {
                /// Returns the callbacks for solvers with this propagator.
                fn of<P: Propagator>() -> Self {
                    $(
                        unsafe extern "C" fn $name<P: Propagator>(host: *mut c_void $(, $argument: $type)*) $(-> $result)? {
                            // SAFETY: the pointer is the bridge's host, and no other reference to it exists.
                            let $host = unsafe { &mut *host.cast::<Host<P>>() };
                            $body
                        }
                    )*
                    Self { $($name: $name::<P>,)* }
                }
            }
        )*
    };
}

callbacks! {
    Calls {
        assigned(host, first: *const c_int, count: usize) {
            // SAFETY: the arguments are valid.
            host.propagator.assigned(unsafe { numbers(first, count) });
        }
        new_level(host) {
            host.propagator.new_level();
        }
        backtrack(host, level: usize) {
            host.propagator.backtrack(level);
        }
        propagate(host) -> c_int {
            host.propagator.propagate()
        }
        reason(host, propagated: c_int) -> c_int {
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
        has_clause(host) -> c_int {
            host.clause.clear();
            host.next = 0;
            host.propagator.clause(&mut host.clause).into()
        }
        clause(host) -> c_int {
            host.hand_over()
        }
        check(host, first: *const c_int, count: usize) -> c_int {
            // SAFETY: the arguments are valid.
            host.propagator.check(unsafe { numbers(first, count) }).into()
        }
        terminate(host) -> c_int {
            host.propagator.over().into()
        }
    }
    Trace {
        original(host, id: i64, first: *const c_int, count: usize, restored: c_int) {
            // SAFETY: the arguments are valid.
            let clause = unsafe { numbers(first, count) };
            host.trace(|tracer| tracer.original(id, clause, restored != 0));
        }
        derived(host, id: i64, witness: c_int, first: *const c_int, count: usize, first_antecedent: *const i64, antecedents: usize) {
            // SAFETY: the arguments are valid.
            let (clause, antecedents) = unsafe { (numbers(first, count), numbers(first_antecedent, antecedents)) };
            host.trace(|tracer| tracer.derived(id, witness, clause, antecedents));
        }
        deleted(host, id: i64, first: *const c_int, count: usize) {
            // SAFETY: the arguments are valid.
            let clause = unsafe { numbers(first, count) };
            host.trace(|tracer| tracer.deleted(id, clause));
        }
        weakened(host, id: i64) {
            host.trace(|tracer| tracer.weakened(id));
        }
    }
}

/// Returns the numbers that a callback gets as a pointer and a count.
///
/// # Safety
///
/// The pointer must lead to `count` numbers, unless `count` is 0.
unsafe fn numbers<'n, T>(first: *const T, count: usize) -> &'n [T] {
    match count {
        // An empty vector may have a null pointer.
        0 => &[],
        // SAFETY: the pointer and the count describe valid numbers.
        _ => unsafe { slice::from_raw_parts(first, count) },
    }
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
    fn hamcnf_bridge_reserve(bridge: *mut c_void, last: c_int) -> c_int;
    fn hamcnf_bridge_assume(bridge: *mut c_void, literal: c_int) -> c_int;
    fn hamcnf_bridge_failed(bridge: *mut c_void, literal: c_int) -> c_int;
    fn hamcnf_bridge_solve(bridge: *mut c_void) -> c_int;
    fn hamcnf_bridge_value(bridge: *mut c_void, variable: c_int) -> c_int;
    fn hamcnf_bridge_statistic(bridge: *mut c_void, name: *const c_char) -> i64;
}

impl<P> Host<P> {
    /// Returns the next literal of the clause that is being passed to the solver, or 0 at its end.
    fn hand_over(&mut self) -> i32 {
        let literal = self.clause.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        literal
    }

    fn trace(&mut self, receive: impl FnOnce(&mut dyn Tracer)) {
        if let Some(tracer) = &mut self.tracer {
            receive(tracer.as_mut());
        }
    }
}

/// Returns the solver's name and version, such as `cadical-2.2.1`.
pub fn signature() -> &'static str {
    // SAFETY: the pointer is a string literal of the library.
    let signature = unsafe { CStr::from_ptr(hamcnf_bridge_signature()) };
    signature.to_str().unwrap_or_default()
}

/// Returns an error if a function of the bridge failed.
fn done(code: c_int) -> Result<(), OutOfMemory> {
    match code {
        0 => Err(OutOfMemory),
        _ => Ok(()),
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
        assert_eq!(signature(), "cadical-2.2.1", "the library is the bridge's");
        let host = NonNull::from(Box::leak(Box::new(Host {
            propagator,
            clause: Vec::new(),
            next: 0,
            explained: 0,
            tracer: None,
        })));
        let calls = Calls::of::<P>();
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
        let calls = Trace::of::<P>();
        let bridge = self.bridge.as_ptr();
        // SAFETY: the table is copied, and the host does not move until the solver is deleted.
        done(unsafe { hamcnf_bridge_trace(bridge, &raw const calls, antecedents.into()) })
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
        done(unsafe { hamcnf_bridge_add(self.bridge.as_ptr(), first, count) })
    }

    /// Makes the solver report assignments of this variable to the propagator from now on.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn observe(&mut self, variable: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        done(unsafe { hamcnf_bridge_observe(self.bridge.as_ptr(), variable) })
    }

    /// Makes the solver set this literal to true whenever it decides the literal's variable.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn phase(&mut self, literal: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        done(unsafe { hamcnf_bridge_phase(self.bridge.as_ptr(), literal) })
    }

    /// Reserves variables up to this one.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn reserve(&mut self, last: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        done(unsafe { hamcnf_bridge_reserve(self.bridge.as_ptr(), last) })
    }

    /// Assumes that a literal is true during the next search.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn assume(&mut self, literal: i32) -> Result<(), OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        done(unsafe { hamcnf_bridge_assume(self.bridge.as_ptr(), literal) })
    }

    /// True if the assumption of a literal was needed to prove that there is no model.
    pub fn has_failed(&self, literal: i32) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_failed(self.bridge.as_ptr(), literal) != 0 }
    }

    /// Searches for a model that the propagator accepts.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn solve(&mut self) -> Result<SolverStatus, OutOfMemory> {
        // SAFETY: the bridge lives as long as `self`.
        match unsafe { hamcnf_bridge_solve(self.bridge.as_ptr()) } {
            10 => Ok(SolverStatus::Satisfiable),
            20 => Ok(SolverStatus::Unsatisfiable),
            -1 => Err(OutOfMemory),
            _ => Ok(SolverStatus::Stopped),
        }
    }

    /// True if a variable is true in the model found.
    pub fn value(&self, variable: i32) -> bool {
        // SAFETY: the bridge lives as long as `self`.
        unsafe { hamcnf_bridge_value(self.bridge.as_ptr(), variable) > 0 }
    }

    /// Returns the statistics of all searches so far.
    pub fn counters(&self) -> Counters {
        let of = |name: &CStr| {
            // SAFETY: the bridge lives as long as `self`.
            let count = unsafe { hamcnf_bridge_statistic(self.bridge.as_ptr(), name.as_ptr()) };
            u64::try_from(count).unwrap_or(0)
        };
        Counters {
            conflicts: of(c"conflicts"),
            decisions: of(c"decisions"),
            propagations: of(c"propagations"),
            ticks: of(c"ticks"),
        }
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
