//! External solvers, run by the library. Shell scripts replace the solvers and test how the library handles every kind
//! of answer and every way to end. Solvers that are installed on this machine are tested, too.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use crate::processes::{pid_in, runs, soon};
use hamcnf::answer::{self, Answer};
use hamcnf::budget::Stopped;
use hamcnf::cancellation::CancellationToken;
use hamcnf::engine::{Answers, Engine, EngineAnswer, EngineError, Engines, Input, Problem, Settings, Solved};
use hamcnf::limits::Limits;
use hamcnf::solve::{self, Options, Outcome};
use hamcnf::{ClauseSink, Clauses, Encoding, Formula, Graph, Instance, Reading, TourKind, Vertex};
use rustsat::types::Var;
use tempfile::TempDir;

fn on_board(board: &str, kind: TourKind) -> Instance {
    Instance::on_board(board.parse().unwrap(), kind, Vertex::new(0)).unwrap()
}

/// Returns an instance on a cycle with `n` vertices.
fn cycle(n: u32, kind: TourKind, start: u32) -> Instance {
    let graph = Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    Instance::on_graph("cycle", graph, kind, Vertex::new(start)).unwrap()
}

fn encoding(name: &str) -> Encoding {
    name.parse().unwrap()
}

fn formula(instance: &Instance, encoding: Encoding) -> Formula {
    Formula::new(encoding, instance).unwrap()
}

/// Folder with a fake engine: a shell script that replaces an external solver.
struct Fake {
    folder: TempDir,
    engine: Engine,
}

impl Fake {
    /// Returns an engine that runs this shell script. The script can use the folder as `$here`, and its input file as
    /// `$1`.
    fn new(input: &str, script: &str) -> Self {
        Self::with(input, script, "")
    }

    /// Returns an engine that runs this shell script, with additional fields in its engines file.
    fn with(input: &str, script: &str, fields: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().display();
        fs::write(folder.path().join("fake"), format!("here='{here}'\n{script}\n")).unwrap();
        let rest = match input {
            "cnf" => "{answer} {seed}",
            _ => "{kind} {start} {seed}",
        };
        let text = format!(
            "[[engine]]\nname = \"fake\"\nabout = \"a fake\"\ninput = \"{input}\"\nscript = \"fake\"\n\
             command = \"sh {{script}} {{{input}}} {rest}\"\nversion = \"sh {{script}} --version\"\n\
             install = \"nothing helps\"\n{fields}\n"
        );
        // The answer is read from standard output, unless a test declares that it is in a file.
        let text = match fields.contains("# file") {
            true => text,
            false => text.replace("{answer} ", ""),
        };
        let file = folder.path().join("engines.toml");
        fs::write(&file, text).unwrap();
        let engine = Engines::read(&file).unwrap().get("fake").unwrap().clone();
        Self { folder, engine }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Solves an instance, as a formula or as a graph, depending on the engine's input.
    fn solve(&self, instance: &Instance) -> Result<Solved, EngineError> {
        solve(&self.engine, instance, "binary", None)
    }

    #[track_caller]
    fn error(&self, instance: &Instance) -> String {
        self.solve(instance).unwrap_err().to_string()
    }
}

fn solve(
    engine: &Engine,
    instance: &Instance,
    name: &str,
    time_limit: Option<Duration>,
) -> Result<Solved, EngineError> {
    let settings = Settings {
        limits: Limits { wall: time_limit, ..Limits::default() },
        seed: 7,
        stop: &CancellationToken::default(),
    };
    match engine.input {
        Input::Cnf => engine.solve_formula(&formula(instance, encoding(name)), &settings),
        Input::Graph | Input::Board => engine.solve_instance(instance, &settings),
    }
}

/// Returns the vertices of the tour in order, counted from 1.
#[track_caller]
fn order(solved: &Solved) -> Vec<u32> {
    let EngineAnswer::Found(Reading::Tour(tour)) = &solved.outcome else { panic!("{solved:?}") };
    tour.order().iter().map(|v| v.number() + 1).collect()
}

/// Returns the instance for closed tours of the 6x6 board, and a correct answer of a solver for its formula in the
/// binary encoding.
fn right_answer() -> (Instance, String) {
    let instance = on_board("6x6", TourKind::Closed);
    let answer = right_answer_of(&instance, "binary");
    (instance, answer)
}

/// Formula without lazy constraints, as an external solver receives it.
struct Uncut(Formula);

impl Clauses for Uncut {
    fn n_vars(&self) -> u32 {
        self.0.n_vars()
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        self.0.emit(out);
    }

    fn variable_name(&self, var: Var) -> String {
        self.0.variable_name(var)
    }
}

fn right_answer_of(instance: &Instance, name: &str) -> String {
    let formula = Uncut(formula(instance, encoding(name)));
    let solved = solve::search(&formula, &Options::default(), &mut |_| ()).unwrap();
    let Outcome::Found(model) = solved.outcome else { panic!("{name}: no model") };
    let mut text = Vec::new();
    answer::write(&mut text, &Answer::Satisfiable(model), formula.n_vars()).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_formula_is_written_and_its_model_is_a_tour() {
    let (instance, answer) = right_answer();
    let fake = Fake::new(
        "cnf",
        "cp \"$1\" \"$here/asked\"; echo \"$1\" > \"$here/where\"; echo \"$2\" > \"$here/seed\"
         cat \"$here/answer\"; exit 10",
    );
    fs::write(fake.path("answer"), answer).unwrap();
    let solved = fake.solve(&instance).unwrap();
    assert_eq!(order(&solved).len(), 36);
    let formula = formula(&instance, encoding("binary"));
    let mut written = Vec::new();
    formula.write_dimacs(&mut written, &[], None, false).unwrap();
    assert_eq!(fake.text("asked").into_bytes(), written);
    assert_eq!(fake.text("seed"), "7\n");
    assert_eq!(solved.variables, Some(formula.n_vars()));
    assert_eq!(solved.clauses, Some(formula.tally().total()));
    assert!(solved.wall_seconds > 0.0);
    // The temporary files of the question have been removed.
    assert!(!Path::new(fake.text("where").trim()).parent().unwrap().exists());
}

#[test]
fn metrics_that_an_engine_prints_are_kept() {
    let (instance, answer) = right_answer();
    let fake = Fake::new(
        "cnf",
        "echo c hamcnf clauses_after 5605; echo c hamcnf seconds 0.250; echo c hamcnf Wrong 1; echo c hamcnf wrong one
         echo c hamcnf wrong inf; echo c hamcnf wrong 1 2; echo c wrong 1; cat \"$here/answer\"; exit 10",
    );
    fs::write(fake.path("answer"), answer).unwrap();
    let solved = fake.solve(&instance).unwrap();
    let metric = |name: &str, number: &str| (name.to_owned(), number.to_owned());
    assert_eq!(solved.metrics, [metric("clauses_after", "5605"), metric("seconds", "0.250")]);
    // A run that reaches its limit keeps the metrics that the engine printed before.
    let slow = Fake::new("cnf", "echo c hamcnf clauses_after 5605; sleep 600");
    let limit = Some(Duration::from_secs(2));
    let solved = solve(&slow.engine, &instance, "binary", limit).unwrap();
    assert_eq!(solved.outcome, EngineAnswer::Unknown(Stopped::Time));
    assert_eq!(solved.metrics, [metric("clauses_after", "5605")]);
}

#[test]
fn cycles_are_what_a_relaxed_formula_may_say() {
    // Two triangles and an edge between them.
    let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
    let graph = Graph::from_edges(6, edges).unwrap();
    let instance = Instance::on_graph("barbell", graph, TourKind::Closed, Vertex::new(4)).unwrap();
    let fake = Fake::new("cnf", "cat \"$here/answer\"; exit 10");
    fs::write(fake.path("answer"), right_answer_of(&instance, "relaxed")).unwrap();
    let solved = solve(&fake.engine, &instance, "relaxed", None).unwrap();
    let EngineAnswer::Found(Reading::Cycles(cycles)) = solved.outcome else { panic!("{solved:?}") };
    assert_eq!(cycles.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn an_answer_may_be_in_a_file_as_minisat_writes_it() {
    let (instance, answer) = right_answer();
    let model: Vec<_> = answer.lines().filter_map(|line| line.strip_prefix("v ")).collect();
    let fake = Fake::with("cnf", "echo SATISFIABLE; cat \"$here/answer\" > \"$2\"; exit 10", "# file");
    fs::write(fake.path("answer"), format!("SAT\n{}\n", model.join(" "))).unwrap();
    assert_eq!(order(&fake.solve(&instance).unwrap()).len(), 36);

    let fake = Fake::with("cnf", "echo s SATISFIABLE; exit 10", "# file");
    let message = fake.error(&instance);
    assert!(message.contains("its answer cannot be read: "), "{message}");
    let fake = Fake::with("cnf", "echo UNSAT > \"$2\"; exit 20", "# file");
    assert_eq!(fake.solve(&instance).unwrap().outcome, EngineAnswer::None);
}

#[test]
fn a_graph_is_written_and_a_tour_is_checked() {
    let fake = Fake::new(
        "graph",
        "cp \"$1\" \"$here/asked\"; echo \"$2 $3 $4\" > \"$here/words\"
         echo 'c hello'; echo 's SATISFIABLE'; echo 'v 2 1'; echo 'v 4 3 0'; exit 10",
    );
    for kind in [TourKind::Closed, TourKind::Open] {
        let solved = fake.solve(&cycle(4, kind, 1)).unwrap();
        assert_eq!(order(&solved), [2, 1, 4, 3]);
        assert_eq!(fake.text("words"), format!("{kind} 2 7\n"));
        assert_eq!((solved.variables, solved.clauses), (None, None));
    }
    assert_eq!(fake.text("asked"), "p edge 4 4\ne 1 2\ne 1 4\ne 2 3\ne 3 4\n");
}

#[test]
fn a_wrong_tour_is_an_error_that_names_the_engine() {
    let message = |order: &str| {
        let says = format!("echo 's SATISFIABLE'; echo 'v {order} 0'; exit 10");
        Fake::new("graph", &says).error(&cycle(4, TourKind::Closed, 0))
    };
    for (order, why) in [
        ("1 2 4 3", "move 2, 2 to 4, is not an edge"),
        ("2 3 4 1", "the tour starts at 2, not at 1"),
        ("1 2 3 4 1", "move 4, 4 to 1, returns to the vertex at position 0"),
        ("1 2 3 -4", "\"-4\" is not a vertex"),
    ] {
        let expected = format!("the engine \"fake\" printed an invalid tour: {why}");
        assert_eq!(message(order), expected);
    }
    for (order, why) in [
        ("1 2 3", "the model has no value for variable 4 of 4"),
        ("1 2 3 4 5", "line 2 names variable 5, but the formula has only 4 variables"),
        ("1 2 x 4", "\"x\" in line 2 is not a literal"),
    ] {
        let message = message(order);
        assert!(message.starts_with("the engine \"fake\" printed an unreadable answer "), "{message}");
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn a_model_that_is_none_is_an_error_that_names_the_engine() {
    let instance = on_board("6x6", TourKind::Closed);
    let n = formula(&instance, encoding("binary")).n_vars();
    let model: Vec<_> = (1..=n).map(|v| format!("-{v}")).collect();
    let says = format!("echo 's SATISFIABLE'; echo 'v {} 0'; exit 10", model.join(" "));
    let message = Fake::new("cnf", &says).error(&instance);
    assert!(
        message.starts_with("the engine \"fake\" printed an invalid tour: after 0 moves, the model has "),
        "{message}"
    );
}

#[test]
fn answers_that_are_none_are_errors() {
    let square = cycle(4, TourKind::Closed, 0);
    let message = |says: &str| Fake::new("graph", says).error(&square);
    for (says, expected) in [
        (
            "echo 's UNSATISFIABLE'; exit 10",
            "contradicts itself: it printed UNSATISFIABLE but exited with exit status: 10",
        ),
        (
            "echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; exit 20",
            "contradicts itself: it printed SATISFIABLE but exited with exit status: 20",
        ),
        (
            "echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'",
            "contradicts itself: it printed SATISFIABLE but exited with exit status: 0",
        ),
        ("echo 's UNKNOWN'; exit 20", "contradicts itself: it printed UNKNOWN but exited with exit status: 20"),
        ("exit 20", "printed an unreadable answer (exit status: 20): the input is empty: did the solver run?"),
        (
            "echo 's SATISFIABLE'; printf 'v 1 2 3 4'; exit 10",
            "printed an unreadable answer (exit status: 10): the model is truncated: it does not end in 0",
        ),
        (
            "echo 's UNSATISFIABLE'; echo 's SATISFIABLE'; exit 20",
            "printed an unreadable answer (exit status: 20): line 2 is a second status line: \"s SATISFIABLE\"",
        ),
        // An answer is invalid if the program fails afterwards.
        ("echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; echo why >&2; exit 1", "failed (exit status: 1): why"),
        ("echo 's UNSATISFIABLE'; kill -9 $$", "failed (signal: 9 (SIGKILL)): s UNSATISFIABLE"),
        ("exit 3", "failed (exit status: 3): no output"),
        ("echo 'fake: no' >&2; exit 7", "failed (exit status: 7): no"),
    ] {
        assert_eq!(message(says), format!("the engine \"fake\" {expected}"), "{says}");
    }
    let unknown = Fake::new("graph", "echo 's UNKNOWN'").solve(&square).unwrap();
    assert_eq!(unknown.outcome, EngineAnswer::Unknown(Stopped::GaveUp));
    let none = Fake::new("graph", "echo 's UNSATISFIABLE'; exit 20").solve(&square).unwrap();
    assert_eq!(none.outcome, EngineAnswer::None);
}

#[test]
fn who_cannot_prove_is_not_believed() {
    let fake = Fake::with("graph", "echo 's UNSATISFIABLE'; exit 20", "proves = false");
    assert!(!fake.engine.proves);
    assert_eq!(
        fake.error(&cycle(4, TourKind::Closed, 0)),
        "the engine \"fake\" reports that there is no tour, but the engine cannot prove that there is none"
    );
}

/// Script of an engine that starts another process and waits for it.
const HANGS: &str = "echo \"$1\" > \"$here/where\"; sleep 300 & echo $! > \"$here/pid\"
                     echo 's SATISFIABLE'; echo 'v 1 2 3 4 0'; wait; exit 10";

#[test]
fn a_time_limit_ends_an_engine_that_hangs_and_is_no_answer() {
    let fake = Fake::new("graph", HANGS);
    let square = cycle(4, TourKind::Closed, 0);
    // The limit is long enough for the script to write its process ID on any machine.
    let limit = Duration::from_secs(2);
    let solved = solve(&fake.engine, &square, "", Some(limit)).unwrap();
    assert_eq!(solved.outcome, EngineAnswer::Unknown(Stopped::Time));
    assert!(solved.write_seconds + solved.wall_seconds >= 1.99);
    let pid = pid_in(&fake.path("pid"));
    assert!(soon(|| !runs(pid)));
    assert!(!Path::new(fake.text("where").trim()).parent().unwrap().exists());
    let none_left = solve(&fake.engine, &square, "", Some(Duration::ZERO)).unwrap();
    assert_eq!(none_left.outcome, EngineAnswer::Unknown(Stopped::Time));
}

#[test]
fn a_flag_ends_an_engine_and_is_no_answer() {
    let fake = Fake::new("graph", HANGS);
    let stop = CancellationToken::default();
    let settings = Settings { limits: Limits::default(), seed: 0, stop: &stop };
    let square = cycle(4, TourKind::Closed, 0);
    let (solved, pid) = thread::scope(|scope| {
        let solving = scope.spawn(|| fake.engine.solve_instance(&square, &settings));
        let pid = pid_in(&fake.path("pid"));
        stop.set();
        (solving.join().unwrap(), pid)
    });
    assert_eq!(solved.unwrap().outcome, EngineAnswer::Unknown(Stopped::Cancelled));
    assert!(soon(|| !runs(pid)));
    assert!(!Path::new(fake.text("where").trim()).parent().unwrap().exists());
}

#[test]
fn an_engine_that_has_too_much_to_say_has_no_answer() {
    let square = cycle(4, TourKind::Closed, 0);
    let fake = Fake::new("graph", "exec yes 'c this comment is long'");
    let much = "the engine \"fake\" gave no answer: it printed more than 64 MiB";
    assert_eq!(fake.error(&square), much);
    // Output beyond the limit is an error; it is not ignored.
    let much_and_none = "yes 'c this comment is long' | head -c 70000000; echo; echo 's UNSATISFIABLE'; exit 20";
    let fake = Fake::new("graph", much_and_none);
    assert_eq!(fake.error(&square), much);
    // An answer file that is too long is an error, too.
    let fake = Fake::with("cnf", "echo SAT > \"$2\"; truncate -s 300000000 \"$2\"; exit 10", "# file");
    let (instance, _) = right_answer();
    assert_eq!(fake.error(&instance), "the engine \"fake\" gave no answer: it printed more than 256 MiB");
    // Long output within the limit, on either stream, does not affect the answer.
    let fake = Fake::new(
        "graph",
        "yes 'c hello' | head -n 50000; yes no | head -n 50000 >&2; echo 's UNSATISFIABLE'; exit 20",
    );
    assert_eq!(fake.solve(&square).unwrap().outcome, EngineAnswer::None);
}

#[test]
fn what_an_engine_is_not_made_for_is_refused() {
    let square = cycle(4, TourKind::Open, 0);
    let graph = Fake::with("graph", "exit 1", "kinds = [\"closed\"]");
    let board = Fake::new("board", "exit 1");
    let cnf = Fake::new("cnf", "exit 1");
    let settings = Settings { limits: Limits::default(), seed: 0, stop: &CancellationToken::default() };
    let of_graph = |fake: &Fake| fake.engine.solve_instance(&square, &settings).unwrap_err().to_string();
    let of_formula = |fake: &Fake| {
        let solved = fake.engine.solve_formula(&formula(&square, encoding("binary")), &settings);
        solved.unwrap_err().to_string()
    };
    assert!(!graph.engine.takes(TourKind::Open) && graph.engine.takes(TourKind::Closed));
    assert_eq!(of_graph(&graph), "the engine \"fake\" does not support open tours");
    assert_eq!(of_graph(&board), "the engine \"fake\" is for boards, but cycle is not a board");
    assert_eq!(of_graph(&cnf), "the engine \"fake\" accepts the input \"cnf\", not \"graph\"");
    assert_eq!(of_formula(&graph), "the engine \"fake\" accepts the input \"graph\", not \"cnf\"");
    assert_eq!(of_formula(&board), "the engine \"fake\" accepts the input \"board\", not \"cnf\"");
}

#[test]
fn versions_and_what_is_not_there_are_told() {
    let stop = CancellationToken::default();
    let says = |script: &str, fields: &str| {
        let fake = Fake::with("graph", script, fields);
        fake.engine.version(&stop)
    };
    let is_not_set_up = |version: Result<Option<String>, EngineError>| {
        matches!(version, Err(EngineError { problem: Problem::NotSetUp { .. }, .. }))
    };
    assert_eq!(says("echo 4.0.4", "").unwrap().as_deref(), Some("4.0.4"));
    assert_eq!(says("echo sc2021", "").unwrap().as_deref(), Some("sc2021"));
    assert_eq!(says("echo 'c My Solver version 5.11.4'; echo 2009", "").unwrap().as_deref(), Some("5.11.4"));
    assert_eq!(says("echo 'USAGE: my solver'; echo 1; exit 1", "").unwrap().as_deref(), None);
    assert!(is_not_set_up(says("exit 3", "set-up = \"sh {script} --set-up\"")));
    assert_eq!(says("exit 3", "").unwrap().as_deref(), None);
    let needs = "needs = \"2.2\"";
    for (prints, version) in [("2.2", "2.2"), ("cadical 2.10.1+sbva", "2.10.1+sbva"), ("3", "3")] {
        assert_eq!(says(&format!("echo {prints}"), needs).unwrap().as_deref(), Some(version));
    }
    for prints in ["cadical sc2021", "2.1.9", "2", "sc2021"] {
        let fake = Fake::with("graph", &format!("echo {prints}"), needs);
        let error = fake.engine.version(&stop).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("the engine \"fake\" is not available: {prints} is too old: needs 2.2 or later; nothing helps")
        );
    }

    // An adaptor that is not set up is reported in the same way if it is asked to solve an instance.
    let set_up = "set-up = \"sh {script} --set-up\"";
    let script = "case $1 in --set-up) echo 'fake: fetching' >&2; touch \"$here/there\";; esac
                  [ -e \"$here/there\" ] || exit 3; echo 1.0";
    let fake = Fake::with("graph", script, set_up);
    let square = cycle(4, TourKind::Closed, 0);
    assert_eq!(fake.error(&square), "the engine \"fake\" is not set up; the engine needs nothing helps");
    assert!(is_not_set_up(fake.engine.version(&stop)));
    let mut said = Vec::new();
    fake.engine.set_up(&stop, &mut |line| said.push(line.to_owned())).unwrap();
    assert_eq!(said, ["fetching"]);
    assert_eq!(fake.engine.version(&stop).unwrap().as_deref(), Some("1.0"));
    let fails = Fake::with("graph", "echo 'no network' >&2; exit 1", set_up);
    let error = fails.engine.set_up(&stop, &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the engine \"fake\" cannot be set up: no network (exit status: 1)");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engines.toml");
    let engine = "[[engine]]\nname = \"none\"\nabout = \"\"\ninput = \"graph\"\ncommand = \"no-such-program {graph}\"
                  version = \"no-such-program --version\"\ninstall = \"write it\"\n";
    fs::write(&file, engine).unwrap();
    let engines = Engines::read(&file).unwrap();
    let engine = engines.get("none").unwrap();
    assert!(matches!(engine.version(&stop).unwrap_err().problem, Problem::Missing { .. }));
    let error = solve(engine, &square, "", None).unwrap_err();
    assert!(matches!(error.problem, Problem::Missing { .. }));
    assert_eq!(error.to_string(), "the engine \"none\" is not installed (no-such-program not found); write it");
    // The built-in engines are available beside the engines of the file.
    assert_eq!(engines.get("kissat").unwrap().input, Input::Cnf);
    assert!(engines.get("kisat").is_none());
    let names: Vec<_> = engines.iter().map(|engine| &*engine.name).collect();
    assert!(names.starts_with(&["none", "cadical"]), "{names:?}");
}

#[test]
fn files_that_describe_no_engine_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engines.toml");
    let good = "[[engine]]\nname = \"one\"\nabout = \"\"\ninput = \"cnf\"\ncommand = \"one {cnf}\"\nversion = \"one\"\n\
                install = \"\"\n";
    let message = |text: &str| {
        fs::write(&file, text).unwrap();
        let message = Engines::read(&file).map(|_| ()).unwrap_err().to_string();
        let named = format!("{}: ", file.display());
        message.strip_prefix(&named).unwrap_or(&message).to_owned()
    };
    let changed = |from: &str, to: &str| message(&good.replace(from, to));
    let engine = |wrong: &str| format!("the engine \"one\": {wrong}");
    fs::write(&file, good).unwrap();
    assert!(Engines::read(&file).is_ok());
    assert_eq!(message(&good.repeat(2)), "the engine \"one\" is described twice; remove one description");
    assert_eq!(
        changed("\"one {cnf}\"", "\"one {nf}\""),
        engine(
            "key \"command\": unknown word in braces \"nf\": did you mean cnf? Choose from cnf, graph, board, kind, start, seed, script, answer, epsilon, delta"
        )
    );
    assert_eq!(changed("{cnf}", "{cnf} {start}"), engine("{start} cannot be used in the key \"command\""));
    assert_eq!(changed("{cnf}", "{cnf} {delta}"), engine("{delta} cannot be used in the key \"command\""));
    let counts = |command: &str| {
        changed("input = \"cnf\"\ncommand = \"one {cnf}\"", &format!("answers = \"counts\"\ncommand = \"{command}\""))
    };
    assert_eq!(counts("one {cnf} {answer}"), engine("{answer} cannot be used in the key \"command\""));
    assert_eq!(counts("one {graph}"), engine("an engine that counts takes {cnf}, not {graph}"));
    assert_eq!(
        changed("input = \"cnf\"", "answers = \"all\""),
        engine("unknown answer of an engine \"all\"; choose from solutions, counts")
    );
    assert_eq!(changed("{cnf}", "{script} {cnf}"), engine("{script} cannot be used in the key \"command\""));
    assert_eq!(changed("one {cnf}", "one"), engine("the command must contain {cnf}, the declared input"));
    assert_eq!(changed("{cnf}", "{cnf"), engine("key \"command\": a brace in \"{cnf\" is not closed"));
    assert_eq!(changed("one {cnf}", "one '{cnf}"), engine("key \"command\": a quotation mark is not closed"));
    assert_eq!(changed("version = \"one\"", "version = \"\""), engine("key \"version\": the command is empty"));
    assert_eq!(
        changed("version = \"one\"", "version = \"one {seed}\""),
        engine("{seed} cannot be used in the key \"version\"")
    );
    assert_eq!(
        changed("\"cnf\"", "\"sat\""),
        engine("unknown input of an engine \"sat\"; choose from cnf, graph, board")
    );
    assert_eq!(
        changed("install", "kinds = [\"half\"]\ninstall"),
        engine("unknown kind of tour \"half\"; choose from closed, open")
    );
    assert_eq!(
        changed("\"one\"\nabout", "\"One\"\nabout"),
        "the engine \"One\": the name must consist of lower-case letters, digits and dashes"
    );
    let no_script = changed("install", "script = \"none\"\ninstall");
    assert!(no_script.starts_with("the engine \"one\": the script \""), "{no_script}");
    let field = changed("install", "instal");
    assert!(field.starts_with("line 7: unknown key \"instal\": did you mean install?"), "{field}");
    assert_eq!(changed("name = \"one\"", "name = 1"), "line 2: expected text in quotation marks, found integer \"1\"");
    assert!(message("engine = ").starts_with("line 1: "));
    fs::remove_file(&file).unwrap();
    let none = Engines::read(&file).unwrap_err().to_string();
    assert!(none.starts_with("cannot read "), "{none}");
}

#[test]
fn the_file_of_engines_is_what_is_built_in() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/engines.toml");
    let read = Engines::read(&file).unwrap();
    let names = |engines: &Engines| engines.iter().map(|e| e.name.clone()).collect::<Vec<_>>();
    let built_in = Engines::built_in();
    assert_eq!(names(&read), names(&built_in));
    for engine in built_in.iter() {
        assert!(!engine.about.is_empty() && !engine.install.is_empty(), "{engine:?}");
    }
    let unable: Vec<_> = built_in.iter().filter(|e| !e.proves).map(|engine| &*engine.name).collect();
    assert_eq!(unable, ["lkh"]);
}

#[test]
fn adaptors_without_their_packages_say_so_and_fetch_nothing_unasked() {
    let cache = tempfile::tempdir().unwrap();
    let run = |script: &Path, word: &str| {
        let mut python = Command::new("python3");
        python.arg("-EsSB").arg(script).arg(word);
        // Port 9 is the discard port, on which nothing listens.
        python.env("HAMCNF_CACHE", cache.path()).env("PIP_RETRIES", "0");
        python.env("PIP_INDEX_URL", "http://127.0.0.1:9/simple").output()
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/engines");
    let mut scripts = 0;
    for script in fs::read_dir(folder).unwrap() {
        let script = script.unwrap().path();
        let name = script.file_name().unwrap().to_str().unwrap();
        // The adaptor to preprocessors has no package.
        if script.extension().is_some() || name == "preprocessed" {
            continue;
        }
        scripts += 1;
        let Ok(version) = run(&script, "--version") else {
            eprintln!("not tried: there is no python3");
            return;
        };
        assert_eq!(version.status.code(), Some(3), "{version:?}");
        assert!(version.stdout.is_empty());
        let said = String::from_utf8(version.stderr).unwrap();
        assert!(said.starts_with(&format!("{name}: ")), "{said}");
        assert!(said.ends_with(": fetch it with --set-up\n"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    }
    assert_eq!(scripts, 5);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/engines/lkh");
    let failed = run(&script, "--set-up").unwrap();
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(said.contains("could not fetch elkai==2.0.1"), "{said}");
    // Only the lock is left.
    let left: Vec<_> = fs::read_dir(cache.path()).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(left, [cache.path().join("elkai.lock")]);
}

/// Tests that the adaptor to preprocessors names a missing program, and completes the model of a formula from which
/// CaDiCaL has left out variables with a fixed value. Shell scripts replace the programs.
#[test]
fn the_adaptor_to_preprocessors_needs_its_programs_and_completes_models() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/engines/preprocessed");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let run = |words: &[&str]| {
        let mut python = Command::new("python3");
        python.arg("-EsSB").arg(&script).args(words);
        python.current_dir(folder.path()).env("PATH", &path).output()
    };
    let program = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("kissat", "case $1 in --version) echo 4.0.4;; *) echo s UNSATISFIABLE; exit 20;; esac");
    let Ok(missing) = run(&["--version", "kissat", "no-such-one"]) else {
        eprintln!("not tried: there is no python3");
        return;
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("'no-such-one' is not one of as-is, inside, units,"), "{missing:?}");
    let is_installed = Path::new("/usr/bin/sbva").exists();
    for (word, code) in [("--version", 3), ("--set-up", 1)] {
        if is_installed {
            eprintln!("not tried: SBVA is installed");
            break;
        }
        let missing = run(&[word, "kissat", "sbva"]).unwrap();
        assert_eq!(missing.status.code(), Some(code), "{missing:?}");
        assert_eq!(said(&missing), "preprocessed: sbva is not on the PATH\n");
        assert!(missing.stdout.is_empty());
    }
    let text = |output: Output| String::from_utf8(output.stdout).unwrap();
    assert_eq!(text(run(&["--version", "kissat", "as-is"]).unwrap()), "kissat 4.0.4\n");
    // Variable 1 is fixed. The preprocessed formula has variables 2 and 3, and a new variable 4.
    fs::write(folder.path().join("x.cnf"), "p cnf 3 3\n1 0\n-1 2 3 0\n-2 -3 0\n").unwrap();
    program(
        "cadical",
        "for last; do :; done
         case $* in
           *completed*) cat $last > asked; echo s SATISFIABLE; echo v 1 2 -3 0; exit 10;;
           *-o*) printf 'p cnf 4 2\\n2 4 0\\n-3 -4 0\\n' > preprocessed.cnf; exit 0;;
           *) echo c conflicts: 7 1.0; echo s SATISFIABLE; echo v -1 2 -3 -4 0; exit 10;;
         esac",
    );
    let solved = run(&["x.cnf", "0", "cadical", "factor"]).unwrap();
    assert_eq!(solved.status.code(), Some(10), "{solved:?}");
    let lines = text(solved);
    for line in ["c hamcnf variables_after 4", "c hamcnf clauses_after 2", "c hamcnf conflicts 7", "v 1 2 -3 0"] {
        assert!(lines.lines().any(|other| other == line), "{line}: {lines}");
    }
    // Neither the fixed variable's arbitrary value nor the new variable is passed on.
    assert_eq!(
        fs::read_to_string(folder.path().join("asked")).unwrap(),
        "p cnf 3 5\n1 0\n-1 2 3 0\n-2 -3 0\n2 0\n-3 0\n"
    );
}

/// Returns the built-in solvers that are installed on this machine, with their versions. Prints the solvers that are
/// missing.
fn present() -> Vec<(Engine, String)> {
    let mut present = Vec::new();
    for engine in Engines::built_in().iter().filter(|engine| engine.answers == Answers::Solutions) {
        match engine.version(&CancellationToken::default()) {
            Ok(version) => present.push((engine.clone(), version.unwrap_or_default())),
            Err(error) => match error.problem {
                Problem::Missing { .. } | Problem::NotSetUp { .. } | Problem::TooOld { .. } => {
                    eprintln!("not tried: {error}");
                }
                _ => panic!("{error}"),
            },
        }
    }
    present
}

/// Checks that the engine gives a correct answer or no answer.
#[track_caller]
fn asked(engine: &Engine, instance: &Instance, name: &str, is_tour: bool, limit: u64) -> Solved {
    let solved = solve(engine, instance, name, Some(Duration::from_secs(limit)));
    let solved = solved.unwrap_or_else(|error| panic!("{instance}: {error}"));
    match &solved.outcome {
        // The library has checked the tour.
        EngineAnswer::Found(Reading::Tour(tour)) => {
            assert_eq!(tour.order().len(), instance.n() as usize);
        }
        EngineAnswer::Found(cycles) => panic!("{cycles:?}"),
        EngineAnswer::None => assert!(!is_tour, "{} and {instance}", engine.name),
        EngineAnswer::Unknown(_) => {}
    }
    solved
}

/// Checks that the engine's answer is correct. The engine must have an answer, unless there is no tour and the engine
/// cannot prove this.
#[track_caller]
fn check(engine: &Engine, instance: &Instance, name: &str, is_tour: bool) {
    let solved = asked(engine, instance, name, is_tour, 300);
    if engine.proves || is_tour {
        let known = !matches!(solved.outcome, EngineAnswer::Unknown(_));
        assert!(known, "{} and {instance}: {solved:?}", engine.name);
    }
}

#[test]
fn engines_on_this_machine_answer() {
    for (engine, _) in present() {
        for (board, kind, is_tour) in
            [("5x6", TourKind::Closed, true), ("5x5", TourKind::Closed, false), ("5x5", TourKind::Open, true)]
        {
            // Z3's model takes minutes on the other boards.
            if engine.input != Input::Board || board == "5x5" {
                check(&engine, &on_board(board, kind), "counting", is_tour);
            }
        }
    }
}

#[test]
fn engines_on_this_machine_answer_of_graphs_from_any_start() {
    // The first graph is the prism over a triangle. The second consists of three paths between 0 and 2. It has no
    // closed tour, and no open tour from 0.
    let prism = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];
    let theta = [(0, 1), (1, 2), (0, 3), (3, 2), (0, 4), (4, 2)];
    for (engine, _) in present() {
        if engine.input == Input::Board {
            continue;
        }
        let on = |n, edges: &[(u32, u32)], kind, start| {
            let graph = Graph::from_edges(n, edges.iter().copied()).unwrap();
            Instance::on_graph("graph", graph, kind, Vertex::new(start)).unwrap()
        };
        check(&engine, &on(6, &prism, TourKind::Closed, 4), "counting", true);
        check(&engine, &on(6, &prism, TourKind::Open, 4), "counting", true);
        check(&engine, &on(5, &theta, TourKind::Closed, 4), "counting", false);
        check(&engine, &on(5, &theta, TourKind::Open, 0), "counting", false);
        check(&engine, &on(5, &theta, TourKind::Open, 4), "counting", true);
    }
}

/// Prints a table of solving times: `cargo test --test library engines::times -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes, and prints what it finds"]
fn times_of_the_engines_on_this_machine() {
    for (engine, version) in present() {
        for (board, kind, is_tour) in [
            ("6x6", TourKind::Closed, true),
            ("8x8", TourKind::Closed, true),
            ("5x5", TourKind::Closed, false),
            ("5x5", TourKind::Open, true),
        ] {
            let encodings = match engine.input {
                Input::Cnf => ["binary", "counting"].as_slice(),
                _ => &[""],
            };
            for name in encodings {
                let instance = on_board(board, kind);
                let solved = asked(&engine, &instance, name, is_tour, 60);
                let outcome = match solved.outcome {
                    EngineAnswer::Found(_) => "tour",
                    EngineAnswer::None => "no tour",
                    EngineAnswer::Unknown(_) => "unknown",
                };
                println!(
                    "{} {version}, {board} {kind} {name}: {outcome}, {:.3} s wall, {:.3} s CPU",
                    engine.name, solved.wall_seconds, solved.cpu_seconds
                );
            }
        }
    }
}
