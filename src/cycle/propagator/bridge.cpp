// CaDiCaL with a propagator of ours: what its C interface does not have, as C functions.
//
// A solver of the library that rustsat-cadical has built, with a table of functions that its external propagator
// calls. Nothing is thrown across: what fails for lack of memory says so by its result.

#include "cadical.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

static_assert (CADICAL_MAJOR == 2 && CADICAL_MINOR == 2,
               "the interface of external propagators is that of CaDiCaL 2.2");

extern "C" {

// The propagator's part: `self` comes first, always.
struct hamcnf_calls {
  void (*assigned) (void *self, const int *literals, size_t count);
  void (*new_level) (void *self);
  void (*backtrack) (void *self, size_t level);
  int (*propagate) (void *self);
  // Literals of the reason and of an external clause, one by one, and then 0.
  int (*reason) (void *self, int propagated);
  int (*has_clause) (void *self);
  int (*clause) (void *self);
  int (*check) (void *self, const int *literals, size_t count);
  int (*terminate) (void *self);
};
}

namespace {

class Bridge : public CaDiCaL::ExternalPropagator, public CaDiCaL::Terminator {
  void *self;
  hamcnf_calls calls;

public:
  CaDiCaL::Solver solver;

  Bridge (void *self, const hamcnf_calls &calls) : self (self), calls (calls) {
    // The option has to be there before the first clause: variables need no declaration.
    solver.set ("factor", 0);
    are_reasons_forgettable = true;
    solver.connect_external_propagator (this);
    solver.connect_terminator (this);
  }

  ~Bridge () override {
    solver.disconnect_terminator ();
    solver.disconnect_external_propagator ();
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

void *hamcnf_bridge_new (void *self, const hamcnf_calls *calls) {
  try {
    return new Bridge (self, *calls);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void hamcnf_bridge_delete (void *bridge) { delete static_cast<Bridge *> (bridge); }

int hamcnf_bridge_set (void *bridge, const char *option, int value) {
  return static_cast<Bridge *> (bridge)->solver.set (option, value);
}

int hamcnf_bridge_configure (void *bridge, const char *name) {
  return static_cast<Bridge *> (bridge)->solver.configure (name);
}

int hamcnf_bridge_add (void *bridge, const int *literals, size_t count) {
  try {
    static_cast<Bridge *> (bridge)->solver.clause (literals, count);
    return 1;
  } catch (const std::bad_alloc &) {
    return 0;
  }
}

int hamcnf_bridge_observe (void *bridge, int variable) {
  try {
    static_cast<Bridge *> (bridge)->solver.add_observed_var (variable);
    return 1;
  } catch (const std::bad_alloc &) {
    return 0;
  }
}

void hamcnf_bridge_phase (void *bridge, int literal) {
  static_cast<Bridge *> (bridge)->solver.phase (literal);
}

// 10, 20, 0 as always; -1 without memory.
int hamcnf_bridge_solve (void *bridge) {
  try {
    return static_cast<Bridge *> (bridge)->solver.solve ();
  } catch (const std::bad_alloc &) {
    return -1;
  }
}

int hamcnf_bridge_value (void *bridge, int variable) {
  return static_cast<Bridge *> (bridge)->solver.val (variable);
}

int64_t hamcnf_bridge_statistic (void *bridge, const char *name) {
  return static_cast<Bridge *> (bridge)->solver.get_statistic_value (name);
}
}
