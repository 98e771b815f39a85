pub use self::bindings::*;

mod bindings {
    use core::ffi::{c_char, c_int, c_uint, c_void};

    #[repr(C)]
    pub struct CCaDiCaL {
        _unused: [u8; 0],
    }

    #[repr(C)]
    pub struct CCaDiCaLTracer {
        _unused: [u8; 0],
    }

    pub const OUT_OF_MEM: c_int = 50;

    pub type CCaDiCaLConclusionType = c_uint;
    pub const CCaDiCaLConclusionType_CONFLICT: CCaDiCaLConclusionType = 1;
    pub const CCaDiCaLConclusionType_ASSUMPTIONS: CCaDiCaLConclusionType = 2;
    pub const CCaDiCaLConclusionType_CONSTRAINT: CCaDiCaLConclusionType = 4;

    #[repr(C)]
    pub struct CCaDiCaLTraceCallbacks {
        pub add_original_clause: Option<unsafe extern "C" fn(*mut c_void, i64, bool, usize, *const c_int, bool)>,
        pub add_derived_clause: Option<unsafe extern "C" fn(*mut c_void, i64, bool, usize, *const c_int, usize, *const i64)>,
        pub delete_clause: Option<unsafe extern "C" fn(*mut c_void, i64, bool, usize, *const c_int)>,
        pub weaken_minus: Option<unsafe extern "C" fn(*mut c_void, i64, usize, *const c_int)>,
        pub strengthen: Option<unsafe extern "C" fn(*mut c_void, i64)>,
        pub report_status: Option<unsafe extern "C" fn(*mut c_void, c_int, i64)>,
        pub finalize_clause: Option<unsafe extern "C" fn(*mut c_void, i64, usize, *const c_int)>,
        pub begin_proof: Option<unsafe extern "C" fn(*mut c_void, i64)>,
        pub solve_query: Option<unsafe extern "C" fn(*mut c_void)>,
        pub add_assumption: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
        pub add_constraint: Option<unsafe extern "C" fn(*mut c_void, usize, *const c_int)>,
        pub reset_assumptions: Option<unsafe extern "C" fn(*mut c_void)>,
        pub add_assumption_clause: Option<unsafe extern "C" fn(*mut c_void, i64, usize, *const c_int, usize, *const i64)>,
        pub conclude_unsat: Option<unsafe extern "C" fn(*mut c_void, CCaDiCaLConclusionType, usize, *const i64)>,
        pub conclude_sat: Option<unsafe extern "C" fn(*mut c_void, usize, *const c_int)>,
        pub conclude_unknown: Option<unsafe extern "C" fn(*mut c_void, usize, *const c_int)>,
        pub notify_equivalence: Option<unsafe extern "C" fn(*mut c_void, c_int, c_int)>,
    }

    extern "C" {
        // ccadical.h
        pub fn ccadical_signature() -> *const c_char;
        pub fn ccadical_init() -> *mut CCaDiCaL;
        pub fn ccadical_release(solver: *mut CCaDiCaL);
        pub fn ccadical_val(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_failed(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_set_terminate(
            solver: *mut CCaDiCaL,
            state: *mut c_void,
            terminate: Option<unsafe extern "C" fn(state: *mut c_void) -> c_int>,
        );
        pub fn ccadical_set_learn(
            solver: *mut CCaDiCaL,
            state: *mut c_void,
            max_length: c_int,
            learn: Option<unsafe extern "C" fn(state: *mut c_void, clause: *mut c_int)>,
        );
        pub fn ccadical_constraint_failed(solver: *mut CCaDiCaL) -> c_int;
        pub fn ccadical_get_option(solver: *mut CCaDiCaL, name: *const c_char) -> c_int;
        pub fn ccadical_print_statistics(solver: *mut CCaDiCaL);
        pub fn ccadical_active(solver: *mut CCaDiCaL) -> i64;
        pub fn ccadical_irredundant(solver: *mut CCaDiCaL) -> i64;
        pub fn ccadical_fixed(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_terminate(solver: *mut CCaDiCaL);
        pub fn ccadical_freeze(solver: *mut CCaDiCaL, lit: c_int);
        pub fn ccadical_frozen(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_melt(solver: *mut CCaDiCaL, lit: c_int);
        pub fn ccadical_vars(solver: *mut CCaDiCaL) -> c_int;
        pub fn ccadical_declare_more_variables(solver: *mut CCaDiCaL, number_of_vars: c_int) -> c_int;
        pub fn ccadical_phase(solver: *mut CCaDiCaL, lit: c_int);
        pub fn ccadical_unphase(solver: *mut CCaDiCaL, lit: c_int);
        // ccadical_extension.h
        pub fn ccadical_add_mem(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_assume_mem(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_constrain_mem(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_solve_mem(solver: *mut CCaDiCaL) -> c_int;
        pub fn ccadical_configure(solver: *mut CCaDiCaL, name: *const c_char) -> c_int;
        pub fn ccadical_set_option_ret(solver: *mut CCaDiCaL, name: *const c_char, val: c_int) -> c_int;
        pub fn ccadical_limit_ret(solver: *mut CCaDiCaL, name: *const c_char, val: c_int) -> c_int;
        pub fn ccadical_redundant(solver: *mut CCaDiCaL) -> i64;
        pub fn ccadical_simplify_rounds(solver: *mut CCaDiCaL, rounds: c_int) -> c_int;
        pub fn ccadical_resize(solver: *mut CCaDiCaL, min_max_var: c_int) -> c_int;
        pub fn ccadical_flip(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_flippable(solver: *mut CCaDiCaL, lit: c_int) -> c_int;
        pub fn ccadical_propagate(solver: *mut CCaDiCaL) -> c_int;
        pub fn ccadical_implied(
            solver: *mut CCaDiCaL,
            implied_cb: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
            cb_data: *mut c_void,
        );
        pub fn ccadical_trace_proof_path(solver: *mut CCaDiCaL, path: *const c_char) -> c_int;
        pub fn ccadical_get_statistic_value(solver: *const CCaDiCaL, name: *const c_char) -> i64;
        // ctracer.h
        pub fn ccadical_connect_proof_tracer(
            solver: *mut CCaDiCaL,
            data: *mut c_void,
            callbacks: CCaDiCaLTraceCallbacks,
            antecedents: bool,
        ) -> *mut CCaDiCaLTracer;
        pub fn ccadical_disconnect_proof_tracer(solver: *mut CCaDiCaL, tracer: *mut CCaDiCaLTracer) -> bool;
    }
}
