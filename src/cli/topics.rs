//! `hamcnf help TOPIC`: help on subjects that several commands share. [`TOPICS`] lists all topics.

use std::ffi::OsString;
use std::process::ExitCode;

use hamcnf::formats::Format;
use hamcnf::{Piece, constraint, families as graph_families, relabel};

use super::output;

/// Topic of the help.
struct Topic {
    name: &'static str,
    /// Summary in one line, for lists of topics.
    summary: &'static str,
    text: fn() -> String,
}

const TOPICS: [Topic; 6] = [
    Topic {
        name: "questions",
        summary: "how to write a board or a graph, and the kind of tours",
        text: || QUESTIONS.to_owned(),
    },
    Topic { name: "constraints", summary: "conditions on tours: given moves, positions and turns", text: constraints },
    Topic { name: "graphs", summary: "names of graph families, such as cubic:60:7", text: families },
    Topic { name: "formats", summary: "formats of graph files", text: formats },
    Topic { name: "limits", summary: "limits on time, memory and conflicts", text: || LIMITS.to_owned() },
    Topic { name: "exit-codes", summary: "exit codes of all commands", text: || EXIT_CODES.to_owned() },
];

/// Lists all formats, one per line.
pub(super) fn formats() -> String {
    let each = Format::all().into_iter().map(|format| {
        let endings: Vec<_> = format.endings.iter().map(|ending| format!(".{ending}")).collect();
        let (name, says) = (format.name, format.summary);
        let line = format!("  {name:<14}{says:<48}{}", endings.join(" "));
        line.trim_end().to_owned()
    });
    let lines: Vec<_> = each.collect();
    format!(
        "Formats that are read and written, with their file endings:\n{}\n\n\
         Formats with arcs: DIMACS ('a U V'), digraph6, DOT, GraphML, GML, GEXF, JSON, Pajek, ASP facts\n\
         ('arc(1,2).'), and matrices that are not symmetric, also in Matrix Market.\n\
         In other formats, --arcs reads edges as arcs; --undirected reads arcs as edges.\n\
         If a DIMACS file or ASP facts list every arc in both directions, the graph is undirected.\n\
         If a text does not say that it is directed, but lists some edges in both directions and others in\n\
         one, or if a digraph has no directed cycle, a note says so. Self-loops are ignored, with a note.\n\
         Also read:\n\
         DIMACS with 'p col', 'p tw', ... and edges without 'e'; networkx's multi-line adjacency lists;\n\
         adjacency lists '1: 2 3'; matrices below their size, in brackets or braces; Gephi's CSV;\n\
         incremental sparse6; METIS with weights; edge lists with integer weights in a third column\n\
         (--weights); the Nth graph of a file (--graph-number N or FILE#N). FORMAT:FILE, such as\n\
         edges:FILE, is the same as --graph-format FORMAT.",
        lines.join("\n")
    )
}

/// Returns the list of families for the help, one per line.
pub(super) fn families() -> String {
    let each = graph_families::ALL.iter();
    let lines: Vec<_> = each.map(|kind| format!("  {:<40} {}", kind.word(), kind.says)).collect();
    let pieces: Vec<_> = Piece::names().collect();
    let (some, others) = pieces.split_at(pieces.len() / 2);
    format!(
        "Boards: 8x8 for the knight, king:8x8 or leaper:1,2+1,4:8x8 for another piece; a star\n\
         repeats a jump, as in leaper:0,1*:8x8 for the rook. Pieces with names:\n  {}\n  {}\n\n\
         Families (blanks may replace ':' and ',', as in 'gnp 30 .2 7'; a missing seed is {}):\n{}\n\n\
         +planted makes a graph with a Hamiltonian cycle, +no-cycle a graph without one. Not every family supports them.\n\
         +{}=SEED shuffles the vertices of any graph.",
        some.join(", "),
        others.join(", "),
        graph_families::UNSAID,
        lines.join("\n"),
        relabel::RELABEL
    )
}

/// Returns the help about constraints.
fn constraints() -> String {
    let mut text = "\
Constraints are conditions on tours. Write them as options, at the end of a question, or as lines of a file
(--constraints FILE):
  hamcnf solve 8x8 --force a1-c2 --at c3=17
  hamcnf solve 8x8 force a1-c2 at c3=17

"
    .to_owned();
    for kind in constraint::ALL {
        let name = format!("{} {}", kind.name, kind.value);
        text += &format!("  {name:<26}{}\n", kind.summary);
    }
    text + "
Constraints on positions, orders or arcs distinguish the two directions of a closed tour, so that each direction
counts as a tour.
"
}

const QUESTIONS: &str = "\
A question names a board or a graph, and the kind of tours. Commands, experiments, rows and Python use the same text:
  8x8                              closed tours of the knight
  8x8 open from c3                 open tours that start at c3
  8x8 open from a1 to h7           open tours between two squares
  8x8 open                         open tours from anywhere; also \"8x8 open from anywhere\"
  8x8-a1-h8                        the board 8x8 with a1 and h8 removed
  8x5..12                          all boards from 8x5 to 8x12, for count, graph, sizes, encode and solve --json
  king:8x8                         another piece; also --piece king
  leaper:2,3:10x10                 another piece by the lengths of its jump; also --piece 2,3
  ranks=up:8x8                     a1 at the bottom left, as in chess; also --ranks up
  graph.col                        a graph file; - is standard input
  edges:graph.txt                  a graph file in the format \"edges\"
  graphs.g6#3                      the third graph of a file
  petersen:5:2                     a graph of a family; see `hamcnf help graphs`
The options --open, --start and --to mean the same as the words \"open\", \"from\" and \"to\". On the command line, a
question needs no quotation marks.";

const LIMITS: &str = "\
Options:
  --time-limit TIME      wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
  --cpu-limit TIME       CPU time of all threads; not used up by other programs
  --memory-limit SIZE    memory for the states and nodes of a count, such as 500M or 2G
  --method M+nodes=N     search nodes of a method that searches move by move, such as warnsdorff+nodes=1000
Experiments have time_limit, cpu_limit, memory_limit and conflict_limit. Each run is a process with these limits.
A run that reaches a limit has no answer: the exit code is 3, the status is timeout, memout, conflict-limit or gave-up,
and the output lists commands to try. A count that would not fit into memory does not start; use --try to start the count
anyway. If only the numbers of tours do not fit, the count goes on modulo primes, by several sweeps.";

const EXIT_CODES: &str = "\
Exit codes have the same meaning in every command:
   0  done, or true: a count, a table, a file, a verified proof
   1  checked and found wrong: an invalid proof or tour, a failed run, answers that contradict each other
   2  bad input, or a question that the method does not accept
   3  unknown: a limit ended the command, or the method gave up
  10  there is a tour
  20  there is no tour
      For several graphs, `hamcnf solve` ends with 0 if all answers are known.
 129, 130, 143  a signal ended the command";

/// Returns the topics for the help of the program, one per line.
pub(super) fn list() -> String {
    let lines = TOPICS.iter().map(|topic| format!("  hamcnf help {:<12} {}", topic.name, topic.summary));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the names of the topics.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    TOPICS.iter().map(|topic| topic.name)
}

/// Prints the topic if the arguments are `help TOPIC`.
pub(super) fn answer(args: &[OsString]) -> Option<ExitCode> {
    const EVERYWHERE: [&str; 4] = ["-q", "--quiet", "-v", "--verbose"];
    let mut words = args.iter().skip(1).filter(|word| !EVERYWHERE.iter().any(|option| word == option));
    let (Some(help), Some(name), None) = (words.next(), words.next(), words.next()) else { return None };
    let topic = TOPICS.iter().find(|topic| name == topic.name).filter(|_| help == "help")?;
    let printed = output::print(|out| writeln!(out, "{}", (topic.text)()));
    Some(super::ended(printed.map(|()| super::DONE)))
}
