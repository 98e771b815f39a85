// C functions for CaDiCaL with our propagator and proof tracer, which CaDiCaL's C interface does not support.
//
// The solver comes from the library that rustsat-cadical builds. Its external propagator and its proof tracer call our
// functions through tables of pointers. No exception leaves this file: a function that runs out of memory returns a
// failure, and the solver must not be used again.

#include "cadical.hpp"
#include "tracer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

static_assert (CADICAL_MAJOR == 2 && CADICAL_MINOR == 2,
               "the interface of external propagators is that of CaDiCaL 2.2");

extern "C" {

// Functions of the propagator. Their first argument is always `self`.
struct hamcnf_calls {
  void (*assigned) (void *self, const int *literals, size_t count);
  void (*new_level) (void *self);
  void (*backtrack) (void *self, size_t level);
  int (*propagate) (void *self);
  // `reason` and `clause` return the literals of a clause, one per call, and then 0. The solver calls `clause` after
  // `has_clause` has returned true.
  int (*reason) (void *self, int propagated);
  int (*has_clause) (void *self);
  int (*clause) (void *self);
  int (*check) (void *self, const int *literals, size_t count);
  int (*terminate) (void *self);
};

// Functions of the tracer, which receives the steps of the proof. Clauses are identified by the solver's numbers. A
// negative antecedent is the number of a clause that is resolved with the new clause. The pivot of this resolution is
// the new clause's first literal, the witness.
struct hamcnf_trace {
  void (*original) (void *self, int64_t id, const int *literals, size_t count, int restored);
  void (*derived) (void *self, int64_t id, int witness, const int *literals, size_t count,
                   const int64_t *antecedents, size_t antecedents_count);
  void (*deleted) (void *self, int64_t id, const int *literals, size_t count);
  void (*weakened) (void *self, int64_t id);
};
}

namespace {

class Trace : public CaDiCaL::Tracer {
  void *self;
  hamcnf_trace calls;

public:
  Trace (void *self, const hamcnf_trace &calls) : self (self), calls (calls) {}

  void add_original_clause (int64_t id, bool, const std::vector<int> &clause, bool restored) override {
    calls.original (self, id, clause.data (), clause.size (), restored);
  }

  void add_derived_clause (int64_t id, bool, int witness, const std::vector<int> &clause,
                           const std::vector<int64_t> &antecedents) override {
    calls.derived (self, id, witness, clause.data (), clause.size (), antecedents.data (), antecedents.size ());
  }

  void delete_clause (int64_t id, bool, const std::vector<int> &clause) override {
    calls.deleted (self, id, clause.data (), clause.size ());
  }

  void weaken_minus (int64_t id, const std::vector<int> &) override { calls.weakened (self, id); }
};

class Bridge : public CaDiCaL::ExternalPropagator, public CaDiCaL::Terminator {
  void *self;
  hamcnf_calls calls;
  bool propagates;
  Trace *trace = nullptr;

public:
  CaDiCaL::Solver solver;
  // True after an exception inside the solver. The solver's state must not be used any more.
  bool broken = false;

  Bridge (void *self, const hamcnf_calls &calls, bool propagates)
      : self (self), calls (calls), propagates (propagates) {
    // The option `factor` must be set before the first clause. When it is off, variables need no declaration.
    solver.set ("factor", 0);
    if (propagates) {
      are_reasons_forgettable = true;
      solver.connect_external_propagator (this);
    }
    solver.connect_terminator (this);
  }

  ~Bridge () override {
    solver.disconnect_terminator ();
    if (propagates)
      solver.disconnect_external_propagator ();
    if (trace) {
      solver.disconnect_proof_tracer (trace);
      delete trace;
    }
  }

  void traced (const hamcnf_trace &calls, bool antecedents) {
    trace = new Trace (self, calls);
    solver.connect_proof_tracer (trace, antecedents);
  }

  void notify_assignment (const std::vector<int> &literals) override {
    calls.assigned (self, literals.data (), literals.size ());
  }

  void notify_new_decision_level () override { calls.new_level (self); }

  void notify_backtrack (size_t level) override {
    calls.backtrack (self, level);
  }

  bool cb_check_found_model (const std::vector<int> &model) override {
    return calls.check (self, model.data (), model.size ());
  }

  int cb_propagate () override { return calls.propagate (self); }

  int cb_add_reason_clause_lit (int propagated) override {
    return calls.reason (self, propagated);
  }

  bool cb_has_external_clause (bool &forgettable) override {
    forgettable = true;
    return calls.has_clause (self);
  }

  int cb_add_external_clause_lit () override { return calls.clause (self); }

  bool terminate () override { return calls.terminate (self); }
};

} // namespace

extern "C" {

const char *hamcnf_bridge_signature () { return CaDiCaL::Solver::signature (); }

void *hamcnf_bridge_new (void *self, const hamcnf_calls *calls, int propagates) {
  try {
    return new Bridge (self, *calls, propagates);
  } catch (...) {
    return nullptr;
  }
}

void hamcnf_bridge_delete (void *bridge) {
  if (!static_cast<Bridge *> (bridge)->broken)
    delete static_cast<Bridge *> (bridge);
}
}

namespace {

// Calls a function with the solver and returns its result, or `failed` after an exception.
template <class Do> int64_t with (void *pointer, int64_t failed, Do what) {
  Bridge *bridge = static_cast<Bridge *> (pointer);
  if (bridge->broken)
    return failed;
  try {
    return what (bridge->solver);
  } catch (...) {
    bridge->broken = true;
    return failed;
  }
}

} // namespace

extern "C" {

int hamcnf_bridge_set (void *bridge, const char *option, int value) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.set (option, value); });
}

// This function must be called before the first clause is added.
int hamcnf_bridge_trace (void *pointer, const hamcnf_trace *calls, int antecedents) {
  Bridge *bridge = static_cast<Bridge *> (pointer);
  return with (pointer, 0, [&] (CaDiCaL::Solver &) {
    bridge->traced (*calls, antecedents);
    return 1;
  });
}

// The limit applies to the next search only.
int hamcnf_bridge_limit (void *bridge, const char *name, int value) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.limit (name, value); });
}

int hamcnf_bridge_configure (void *bridge, const char *name) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.configure (name); });
}

int hamcnf_bridge_add (void *bridge, const int *literals, size_t count) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) {
    s.clause (literals, count);
    return 1;
  });
}

int hamcnf_bridge_observe (void *bridge, int variable) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) {
    s.add_observed_var (variable);
    return 1;
  });
}

int hamcnf_bridge_phase (void *bridge, int literal) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) {
    s.phase (literal);
    return 1;
  });
}

// The variables get the solver's numbers in their order, whatever the order of the clauses is.
int hamcnf_bridge_reserve (void *bridge, int last) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) {
    s.resize (last);
    return 1;
  });
}

// The assumption applies to the next search only.
int hamcnf_bridge_assume (void *bridge, int literal) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) {
    s.assume (literal);
    return 1;
  });
}

int hamcnf_bridge_failed (void *bridge, int literal) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.failed (literal); });
}

// Returns 10, 20 or 0, as SAT solvers do, or -1 if the solver is out of memory.
int hamcnf_bridge_solve (void *bridge) {
  return with (bridge, -1, [&] (CaDiCaL::Solver &s) { return s.solve (); });
}

int hamcnf_bridge_value (void *bridge, int variable) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.val (variable); });
}

int64_t hamcnf_bridge_statistic (void *bridge, const char *name) {
  return with (bridge, 0, [&] (CaDiCaL::Solver &s) { return s.get_statistic_value (name); });
}
}
