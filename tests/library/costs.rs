//! Costs of tours in written formulas. On random graphs with weights, brute force and the models of the formula agree on
//! the cost of every tour, on the least cost, and on the tours within a bound.

use crate::brute_force::brute_force;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::endpoints::Endpoints;
use hamcnf::{
    AnyGraph, Bounded, Clauses, Digraph, Encoding, Formula, Graph, Instance, Model, Objective, OpbHeader, OpbWriter,
    TourKind, Vertex, WcnfForm, WcnfHeader, WcnfWriter, Weights, constraints,
};
use rustsat::solvers::{Solve as _, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use rustsat_cadical::CaDiCaL;

/// Formula as a MaxSAT solver reads it.
struct Wcnf {
    hard: Vec<Clause>,
    soft: Vec<(Lit, i64)>,
}

impl Wcnf {
    fn written(formula: &impl Clauses, objective: &Objective) -> Self {
        let clauses = formula.tally().total().clauses;
        let (soft, variables) = (objective.soft(), formula.n_vars());
        let header = WcnfHeader { form: WcnfForm::New, comments: &[], variables, clauses, soft: &soft, names: None };
        let mut file = Vec::new();
        let mut writer = WcnfWriter::new(&mut file, &header);
        formula.emit(&mut writer);
        writer.finish().unwrap();
        let mut wcnf = Self { hard: Vec::new(), soft: Vec::new() };
        for line in String::from_utf8(file).unwrap().lines() {
            let (first, literals) = line.strip_suffix(" 0").unwrap().split_once(' ').unwrap_or(("h", ""));
            let literals = literals.split_ascii_whitespace();
            let literals: Clause = literals.map(|l| Lit::from_ipasir(l.parse().unwrap()).unwrap()).collect();
            match first {
                "h" => wcnf.hard.push(literals),
                weight => wcnf.soft.push((literals[0], weight.parse().unwrap())),
            }
        }
        wcnf
    }

    /// Returns the models, each with the weight of violated soft clauses. Models with the same values of `support` count
    /// once.
    fn models(&self, n_vars: u32, support: &[Var]) -> Vec<(Model, i64)> {
        let mut solver = CaDiCaL::default();
        self.hard.iter().for_each(|clause| solver.add_clause(clause.clone()).unwrap());
        let mut models = Vec::new();
        while solver.solve().unwrap() == SolverResult::Sat {
            let is_true = |var: Var| solver.var_val(var).is_ok_and(|value| value == TernaryVal::True);
            let values: Vec<bool> = (0..n_vars).map(Var::new).map(is_true).collect();
            let holds = |l: Lit| values[l.vidx()] == l.is_pos();
            let violated = self.soft.iter().filter(|&&(l, _)| !holds(l)).map(|&(_, weight)| weight).sum();
            let blocking: Clause = support.iter().map(|&var| var.lit(values[var.idx()])).collect();
            models.push((values.iter().copied().map(Some).collect(), violated));
            solver.add_clause(blocking).unwrap();
        }
        models
    }
}

/// Returns the literals and weights of the objective of the OPB file.
fn objective_of_opb(formula: &Formula, objective: &Objective) -> Vec<(Lit, i64)> {
    let constraints = constraints(formula);
    let header = OpbHeader { comments: &[], constraints, names: None, objective: Some(objective.terms()) };
    let mut file = Vec::new();
    let mut writer = OpbWriter::new(&mut file, &header);
    formula.emit(&mut writer);
    writer.finish().unwrap();
    let text = String::from_utf8(file).unwrap();
    let terms = text.lines().nth(1).unwrap().strip_prefix("min:").unwrap().strip_suffix(" ;").unwrap();
    let terms: Vec<_> = terms.split_ascii_whitespace().collect();
    let term = |term: &[&str]| {
        let variable: u32 = term[1].strip_prefix('x').unwrap().parse().unwrap();
        (Lit::positive(variable - 1), term[0].parse().unwrap())
    };
    terms.chunks(2).map(term).collect()
}

/// Returns the least cost of the tours that brute force finds.
fn least_cost(instance: &Instance, ends: Endpoints, weights: &Weights) -> Option<i64> {
    let (from, to) = match ends {
        Endpoints::Closed => (Some(instance.start()), None),
        Endpoints::Open { from, to } => (from, to),
    };
    let starts = instance.graph().vertices().filter(|&v| from.is_none_or(|from| from == v));
    let tours = starts.flat_map(|start| brute_force(&instance.starting_at(start).unwrap()));
    let tours = tours.filter(|tour| to.is_none_or(|to| tour.last() == Some(&to)));
    tours.map(|tour| weights.cost(&tour, instance.kind() == TourKind::Closed).unwrap()).min()
}

fn check(instance: &Instance, ends: Endpoints, weights: &Weights, encoding: &str) {
    let fixed = instance.with_fixed_start(ends).unwrap();
    let Ok(formula) = Formula::new(encoding.parse::<Encoding>().unwrap(), &fixed) else {
        assert!(instance.is_directed(), "{encoding}");
        return;
    };
    let objective = Objective::new(&formula, weights).unwrap();
    let support: Vec<Var> = formula.support().collect();
    let models = Wcnf::written(&formula, &objective).models(formula.n_vars(), &support);
    let of_opb = objective_of_opb(&formula, &objective);
    let mut costs = Vec::new();
    for (model, violated) in &models {
        let cost = violated - i64::try_from(objective.offset()).unwrap();
        // Relaxed encodings have models of several cycles.
        if let Ok(tour) = formula.tour(model) {
            let (at, tour) = fixed.original_tour(&tour).unwrap();
            assert_eq!(weights.cost(tour.order(), at.kind() == TourKind::Closed), Some(cost), "{encoding} {tour:?}");
            let true_terms = of_opb.iter().filter(|(literal, _)| model.holds(*literal));
            assert_eq!(true_terms.map(|(_, weight)| weight).sum::<i64>(), cost, "{encoding} {tour:?}");
            costs.push(cost);
        }
    }
    costs.sort_unstable();
    let least = least_cost(instance, ends, weights);
    assert_eq!(costs.first().copied(), least, "{encoding} {ends:?} {:?}", instance.digraph());
    for most in least.into_iter().flat_map(|least| [least - 1, least, least + 2, 100, -100]) {
        let bounded = Bounded::new(&formula, &objective, most).unwrap();
        let models = Wcnf::written(&bounded, &objective).models(bounded.n_vars(), &support);
        let tours = models.iter().filter(|(model, _)| formula.tour(model).is_ok());
        let expected = costs.iter().filter(|&&cost| cost <= most).count();
        assert_eq!(tours.count(), expected, "{encoding} {ends:?} {most}");
    }
}

#[test]
fn the_optimum_of_a_formula_is_the_least_cost() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let encodings = ["binary", "unary", "successor+order=seed-3", "counting", "relaxed", "edges", "binary+edges"];
    for k in 0..28 {
        let n = 3 + k % 4;
        let is_directed = k % 3 == 0;
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b && (is_directed || a < b));
        let pairs: Vec<_> = pairs.filter(|_| random.next_u32() % 8 > 0).collect();
        let mut weights = Weights::new(n, is_directed);
        for &ends in &pairs {
            weights.insert(ends, i64::from(random.next_u32() % 16) - 5).unwrap();
        }
        let graph: AnyGraph = match is_directed {
            true => Digraph::from_arcs(n, pairs).unwrap().into(),
            false => Graph::from_edges(n, pairs).unwrap().into(),
        };
        let (v, w) = (Vertex::new(1), Vertex::new(2));
        for ends in [
            Endpoints::Closed,
            Endpoints::Open { from: Some(v), to: None },
            Endpoints::Open { from: None, to: Some(w) },
            Endpoints::Open { from: Some(v), to: Some(w) },
            Endpoints::ANYWHERE,
        ] {
            let kind = if ends == Endpoints::Closed { TourKind::Closed } else { TourKind::Open };
            let instance = Instance::on("random", graph.clone(), kind, Vertex::new(0)).unwrap();
            let encoding = encodings[random.next_u32() as usize % encodings.len()];
            check(&instance, ends, &weights, encoding);
        }
    }
}

#[test]
fn an_encoding_without_moves_has_no_costs() {
    let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
    let instance = Instance::on_graph("square", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let formula = Formula::new("direct".parse().unwrap(), &instance).unwrap();
    let refused = Objective::new(&formula, &Weights::new(4, false)).unwrap_err().to_string();
    assert!(refused.starts_with("encoding \"direct\" has neither arc nor edge variables"), "{refused}");
}
