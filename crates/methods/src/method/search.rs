//! `backtrack`, `best-first`, `warnsdorff`: searches without clauses; see [`search`](hamcnf_cycle::search).

use hamcnf_graph::Named;
use hamcnf_tours::endpoints::Start;
use hamcnf_tours::{Instance, TourKind};

use super::auto::command_line;
use super::grammar::{WrongValue, parsed, whole};
use super::{Advice, Class, Field, MethodKind, Profile, Setting};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_cycle::search::{self, Descents, Moves, Order, Proof, SearchStatistics, Ties, best_ties};
use hamcnf_graph::budget::Budget;
use hamcnf_questions::{Question, Tours};

/// Search without clauses, with its settings. If `order` or `ties` is `None`, the instance determines it.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// Name of the search method: `backtrack`, `best-first` or `warnsdorff`.
    pub name: search::Method,
    /// Order in which moves are tried.
    pub order: Option<Order>,
    /// Rule that breaks ties in Warnsdorff's rule.
    pub ties: Option<Ties>,
    /// True if rotations are applied when a descent by Warnsdorff's rule gets stuck.
    pub rotations: bool,
    /// Limit on the number of restarts of a search by Warnsdorff's rule.
    pub restarts: u32,
    /// Limit on the number of search nodes; `None` if unlimited.
    pub nodes: Option<u64>,
}

impl Search {
    /// Default value of `restarts`.
    pub const RESTARTS: u32 = 1000;

    /// Returns the search with default settings.
    pub const fn new(name: search::Method) -> Self {
        Self { name, order: None, ties: None, rotations: true, restarts: Self::RESTARTS, nodes: None }
    }

    /// Returns the search options for an instance. If the order or the tie-breaking rule is `None`, chooses the value
    /// that works best on the instance.
    pub fn options(&self, instance: &Instance, seed: u64, budget: Budget) -> search::Options {
        search::Options {
            method: self.name,
            descents: Descents {
                ties: self.ties.unwrap_or_else(|| best_ties(instance)),
                rotations: self.rotations,
                restarts: self.restarts,
            },
            order: self.order.unwrap_or(match instance.board() {
                Some(_) => Order::Moves(Moves::ARTICLE),
                None => Order::Graph,
            }),
            seed,
            node_limit: self.nodes,
            budget,
        }
    }
}

impl MethodKind for Search {
    fn profile(&self) -> Profile<'_> {
        let summary = match self.name {
            search::Method::Backtrack => "depth-first search that tries moves in a fixed order",
            search::Method::BestFirst => "depth-first search that tries moves by Warnsdorff's rule",
            search::Method::Warnsdorff => {
                "Warnsdorff's rule; a stuck path is repaired by rotations, or the search restarts"
            }
        };
        Profile { any_start: true, random: true, ..Profile::new(self.name.as_str(), summary, Class::Search) }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let summary = "order in which moves are tried: article, graph, random, or the digits 1 to 8 in any order";
        let mut fields = vec![Setting::new("order", "ORDER", summary).of_option(&mut self.order, parsed)];
        if self.name == search::Method::Warnsdorff {
            let ties = Setting::new("ties", "RULE", "rule that breaks ties [default: the best rule for the board]");
            let rotations = Setting::new("rotations", "yes|no", "repair a stuck path by rotations [default: yes]");
            let restarts = Setting::new("restarts", "N", "limit on the number of restarts [default: 1000]");
            let text = (!self.rotations).then(|| "no".to_owned());
            fields.push(ties.of_option(&mut self.ties, parsed));
            fields.push(rotations.with(text, |text| {
                self.rotations = match text {
                    "yes" => true,
                    "no" => false,
                    other => {
                        let why = format_args!("\"{other}\" is not a valid value; write yes or no");
                        return Err(WrongValue::new(why));
                    }
                };
                Ok(())
            }));
            fields.push(restarts.of(&mut self.restarts, &Self::RESTARTS, whole(0)));
        }
        let nodes = Setting::new("nodes", "N", "limit on the number of search nodes (vertices added to a path)");
        fields.push(nodes.of_option(&mut self.nodes, whole(0)));
        fields
    }

    fn advice(&self, question: &Question, _: Status) -> Vec<Advice> {
        let Question::Tours(tours) = question else { return Vec::new() };
        let question = command_line(tours);
        let phrases = match self.name {
            search::Method::Warnsdorff => vec![
                format!("`hamcnf solve {question} --method warnsdorff+ties=random` with another --seed"),
                format!("`hamcnf solve {question} --method best-first`, which can also prove that there is no tour"),
            ],
            search::Method::Backtrack | search::Method::BestFirst => {
                vec![format!("`hamcnf solve {question} --method warnsdorff`")]
            }
        };
        let phrases = phrases.into_iter();
        // All searches accept the same questions.
        let searches = phrases.map(|phrase| Advice::about(self.clone(), phrase));
        searches.chain([format!("`hamcnf solve {question}`").into()]).collect()
    }

    fn chosen(&self, question: &Question, seed: u64) -> Vec<(&'static str, String)> {
        let Question::Tours(tours) = question else { return Vec::new() };
        let options = self.options(tours.instance(), seed, Budget::default());
        let mut chosen = vec![("order", options.order.to_string())];
        if self.name == search::Method::Warnsdorff {
            chosen.push(("ties", options.descents.ties.to_string()));
        }
        chosen
    }

    /// Searches from the start, or from one vertex after another if tours may begin anywhere. A search that gives up ends
    /// the run.
    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        if tours.start() == Start::Given || tours.instance().kind() == TourKind::Closed {
            return self.search(tours.instance(), &mut SearchStatistics::default(), run, run.budget());
        }
        if let Some(found) = tours.obstruction() {
            let none = RunResult::default();
            return Ok(super::auto::proved(none, Proof::Obstruction(found)));
        }
        let mut answered = RunResult::default();
        let mut statistics = SearchStatistics::default();
        let budget = run.budget();
        for start in tours.instance().graph().vertices() {
            answered = self.search(&tours.instance().starting_at(start)?, &mut statistics, run, budget.clone())?;
            if answered.status != Status::NoTour {
                return Ok(answered);
            }
        }
        let all = RunResult::default();
        Ok(RunResult {
            statistics: answered.statistics,
            solve_seconds: answered.solve_seconds,
            message: "every path from every vertex was tried".to_owned(),
            ..super::auto::proved(all, Proof::Exhausted)
        })
    }
}

impl Search {
    /// Searches for a tour of the instance, which has a start. `so_far` has the statistics of the searches from other
    /// starts, which count for the limit on nodes, too.
    fn search(
        &self,
        instance: &Instance,
        so_far: &mut SearchStatistics,
        run: &Run<'_>,
        budget: Budget,
    ) -> Result<RunResult, Failure> {
        let mut result = RunResult::default();
        let options = self.options(instance, run.settings().seed, budget);
        let options = search::Options {
            node_limit: options.node_limit.map(|nodes| nodes.saturating_sub(so_far.nodes)),
            ..options
        };
        let observer = &run.settings().observer;
        let mut show = |_, nodes| observer.at(None, || format!("{nodes} nodes"));
        let searched = match search::search(instance, &options, &mut show) {
            Ok(searched) => searched,
            Err(wrong @ search::SearchError::WrongPath(_)) => return Err(wrong.into()),
            Err(refusal) => return Ok(result.refused(&refusal)),
        };
        so_far.add(&searched.statistics);
        let statistics = so_far;
        result.statistics.set("nodes", statistics.nodes);
        result.statistics.set("restarts", statistics.restarts);
        result.statistics.set("rotations", statistics.rotations);
        result.solve_seconds = Some(statistics.seconds);
        Ok(match searched.outcome {
            search::SearchResult::Tour(tour) => result.found(tour),
            search::SearchResult::NoTour(proof) => super::auto::proved(result, proof),
            search::SearchResult::NotFound(search::Limit::Time) => result.late(),
            search::SearchResult::NotFound(limit) => result.ended(Status::GaveUp, limit.to_string()),
        })
    }
}
