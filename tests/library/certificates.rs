//! Certificates that there is no tour: what is written is read, wrong lines are named, and no reason is accepted where
//! brute force finds a tour.

use hamcnf::check::certificate::{
    Asked, Limits, Reading, Reason, Unreadable, Unverified, check, colours, decomposition, far_sides, few, parts, write,
};
use hamcnf::endpoints::Endpoints;
use hamcnf::graph_strategy::graphs;
use hamcnf::{Board, Graph, Instance, TourKind, Vertex};
use proptest::prelude::*;

/// Message of a certificate along whose order a tour is found.
const WAY_THROUGH: &str = "the certificate is wrong: dynamic programming along the elimination order finds a tour";

/// Number of bytes of the longest line.
const LONGEST: usize = 1 << 16;

fn instance(graph: Graph, ends: Endpoints) -> Option<Instance> {
    let kind = match ends {
        Endpoints::Closed => TourKind::Closed,
        Endpoints::Open { .. } => TourKind::Open,
    };
    Instance::on_graph("graph", graph, kind, Vertex::new(0)).ok()
}

/// True if the graph has a tour with these endpoints. Uses dynamic programming over sets of vertices: for each set,
/// computes the possible last vertices of paths that visit exactly the set.
pub(crate) fn has_tour(graph: &Graph, ends: Endpoints) -> bool {
    let n = graph.n_vertices();
    let all = (1usize << n) - 1;
    let near = |v| graph.neighbours(v).iter().fold(0, |near, w| near | 1u32 << w.number());
    let near: Vec<u32> = graph.vertices().map(near).collect();
    let (first, to) = match ends {
        Endpoints::Closed => (Some(Vertex::new(0)), None),
        Endpoints::Open { from, to } => (from, to),
    };
    let mut last = vec![0u32; all + 1];
    for v in graph.vertices().filter(|&v| first.is_none_or(|first| first == v)) {
        last[1 << v.number()] = 1 << v.number();
    }
    for set in 1..=all {
        for (v, near) in near.iter().enumerate().filter(|(v, _)| set >> v & 1 == 1) {
            if near & last[set ^ 1 << v] != 0 {
                last[set] |= 1 << v;
            }
        }
    }
    match ends {
        Endpoints::Closed => n > 2 && near[0] & last[all] != 0,
        Endpoints::Open { .. } => to.map_or(last[all], |t| last[all] & 1 << t.number()) != 0,
    }
}

fn all_ends(s: Vertex, t: Vertex) -> [Endpoints; 6] {
    let open = |from, to| Endpoints::Open { from, to };
    [
        Endpoints::Closed,
        open(Some(s), None),
        open(None, Some(t)),
        open(Some(s), Some(t)),
        open(Some(s), Some(s)),
        open(None, None),
    ]
}

fn text(asked: &Asked<'_>, reason: &Reason) -> String {
    let mut out = Vec::new();
    write(asked, reason, "in words", &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn read(text: &[u8], asked: &Asked<'_>) -> Result<Reason, Unreadable> {
    Reading::begin(text)?.reason(asked)
}

fn accepted(text: &[u8], asked: &Asked<'_>) -> bool {
    read(text, asked).is_ok_and(|reason| check(asked, &reason, &Limits::default()).is_ok())
}

fn refused(text: &str, asked: &Asked<'_>) -> String {
    read(text.as_bytes(), asked).unwrap_err().to_string()
}

fn sets(of: &[u8], value: u8) -> Vec<Vertex> {
    let these = (0..).zip(of).filter(|&(_, &set)| set == value);
    these.map(|(v, _)| Vertex::new(v)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Tests that no reason is accepted if the graph has a tour, and that a decomposition is accepted whenever the
    /// graph has no tour.
    #[test]
    fn no_reason_is_accepted_where_there_is_a_tour(
        (graph, order, in_sets) in graphs(2..=8).prop_flat_map(|graph| {
            let vertices: Vec<_> = graph.vertices().collect();
            let n = vertices.len();
            let in_sets = proptest::collection::vec(proptest::collection::vec(0u8..3, n), 40);
            (Just(graph), Just(vertices).prop_shuffle(), in_sets)
        }),
        s in 0u32..8, t in 0u32..8,
    ) {
        let n = graph.n_vertices();
        for ends in all_ends(Vertex::new(s % n), Vertex::new(t % n)) {
            let Some(instance) = instance(graph.clone(), ends) else { continue };
            let asked = Asked::new("graph", &instance, ends);
            let tour = has_tour(&graph, ends);
            let mut reasons = vec![colours::KIND.of(Vec::new()), few::KIND.of(Vec::new())];
            for a in graph.vertices() {
                reasons.extend(graph.vertices().map(|b| far_sides::KIND.of(vec![a, b])));
            }
            for of in &in_sets {
                reasons.push(parts::KIND.of(sets(of, 1)));
            }
            for reason in reasons {
                let holds = check(&asked, &reason, &Limits::default()).is_ok();
                prop_assert!(!(holds && tour), "{reason:?} {ends:?} {graph:?}");
                let twice = *reason.kind == far_sides::KIND && reason.vertices[0] == reason.vertices[1];
                if !twice {
                    let read = read(text(&asked, &reason).as_bytes(), &asked).unwrap();
                    prop_assert_eq!(read, reason);
                }
            }
            let reason = decomposition::KIND.of(order.clone());
            let found = check(&asked, &reason, &Limits::default());
            let expected = if tour { Err(Unverified::Invalid(WAY_THROUGH.to_owned())) } else { Ok(()) };
            prop_assert_eq!(found.map(drop), expected, "{:?} {:?}", ends, graph);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..200,
    ) {
        let small = small();
        for (instance, ends, reason) in &small {
            let asked = Asked::new("question", instance, *ends);
            let _ = read(&bytes, &asked);
            let mut text = text(&asked, reason).into_bytes();
            let at = at % text.len();
            text.splice(at..at, bytes.iter().copied());
            let _ = read(&text, &asked);
        }
    }
}

#[test]
fn an_end_that_is_taken_away_is_a_part_fewer() {
    // Graphs with one hub or two hubs, and two other vertices that are joined only to the hubs.
    let one = Graph::from_edges(3, [(0, 1), (0, 2)]).unwrap();
    let two = Graph::from_edges(4, [(0, 2), (0, 3), (1, 2), (1, 3)]).unwrap();
    let [s, t] = [Some(Vertex::new(0)), Some(Vertex::new(1))];
    let open = |from, to| Endpoints::Open { from, to };
    for (graph, ends, without, visited) in [
        (&one, open(None, None), 1, 2),
        (&one, open(s, None), 1, 1),
        (&one, open(None, s), 1, 1),
        (&one, open(s, s), 1, 1),
        (&two, open(None, t), 2, 2),
        (&two, open(s, t), 2, 1),
    ] {
        let instance = instance(graph.clone(), ends).unwrap();
        let asked = Asked::new("question", &instance, ends);
        let without: Vec<_> = (0..without).map(Vertex::new).collect();
        let n = without.len();
        let found = check(&asked, &parts::KIND.of(without), &Limits::default());
        let s = if n == 1 { "vertex" } else { "vertices" };
        let expected = match visited {
            1 => Ok(format!(
                "without {n} {s} there are 2 components, but a tour of this kind could visit only 1 of them"
            )),
            _ => Err(Unverified::Invalid(format!(
                "the reason proves nothing: after removal of the listed vertices ({n}), the number of components is only 2, and a tour could visit {visited}"
            ))),
        };
        assert_eq!(found, expected, "{ends:?}");
    }
}

/// Returns a small certificate for each kind of reason.
fn small() -> Vec<(Instance, Endpoints, Reason)> {
    let graph = |n, edges: &[(u32, u32)]| Graph::from_edges(n, edges.iter().copied()).unwrap();
    let v = Vertex::new;
    let closed = Endpoints::Closed;
    let from_0 = Endpoints::Open { from: Some(v(0)), to: None };
    // The graphs are two triangles that share a corner; three vertices joined to four; a triangle with pendant
    // edges at two corners; two hubs joined by three paths with two inner vertices each.
    let bow = graph(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]);
    let three_to_four: Vec<_> = (0..3).flat_map(|a| (3..7).map(move |b| (a, b))).collect();
    let bull = graph(5, &[(0, 1), (1, 2), (2, 0), (1, 3), (2, 4)]);
    let theta: Vec<_> = (0..3).flat_map(|k| [(0, 2 + 2 * k), (2 + 2 * k, 3 + 2 * k), (3 + 2 * k, 1)]).collect();
    let theta = graph(8, &theta);
    let made = |graph, ends, reason| (instance(graph, ends).unwrap(), ends, reason);
    vec![
        made(bow, closed, parts::KIND.of(vec![v(2)])),
        made(graph(7, &three_to_four), closed, colours::KIND.of(Vec::new())),
        made(bull, from_0, far_sides::KIND.of(vec![v(1), v(2)])),
        made(theta, closed, decomposition::KIND.of([2, 4, 6, 3, 5, 7, 0, 1].map(v).to_vec())),
    ]
}

/// Adds edges in increasing order until the graph has a tour, and returns the graph; `None` if even the complete
/// graph has no tour.
fn with_a_tour(instance: &Instance, ends: Endpoints) -> Option<Graph> {
    let graph = instance.graph();
    let edges = || graph.arcs().map(|arc| (arc.tail.number(), arc.head.number()));
    let n = graph.n_vertices();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let mut more = Vec::new();
    for pair in pairs {
        more.push(pair);
        let larger = Graph::from_edges(n, edges().chain(more.iter().copied())).unwrap();
        if has_tour(&larger, ends) {
            return Some(larger);
        }
    }
    None
}

/// Returns mutations of a text: each byte replaced by every other byte, each line left out or doubled, each pair of
/// lines swapped, and the text cut off at each byte.
fn tampered(text: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for k in 0..text.len() {
        for byte in 0..=255 {
            let mut other = text.as_bytes().to_vec();
            other[k] = byte;
            all.push(other);
        }
        all.push(text.as_bytes()[..k].to_vec());
    }
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    for k in 0..lines.len() {
        let mut without = lines.clone();
        without.remove(k);
        all.push(without.concat().into_bytes());
        let mut doubled = lines.clone();
        doubled.insert(k, lines[k]);
        all.push(doubled.concat().into_bytes());
        for other in 0..k {
            let mut swapped = lines.clone();
            swapped.swap(k, other);
            all.push(swapped.concat().into_bytes());
        }
    }
    all.retain(|other| other != text.as_bytes());
    all
}

#[test]
fn what_is_tampered_with_is_refused_or_still_a_reason() {
    for (instance, ends, reason) in small() {
        let asked = Asked::new("question", &instance, ends);
        assert!(!has_tour(instance.graph(), ends), "{reason:?}");
        let text = text(&asked, &reason);
        assert!(accepted(text.as_bytes(), &asked), "{text}");
        // An accepted mutation has the same first line, the same tours and the same graph.
        let said = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("c "));
            lines.take(4).map(str::to_owned).collect()
        };
        let mut kept = 0;
        for other in tampered(&text) {
            if accepted(&other, &asked) {
                kept += 1;
                let other = String::from_utf8(other).unwrap();
                let (was, is) = (said(&text), said(&other));
                assert_eq!([&was[0], &was[2], &was[3]], [&is[0], &is[2], &is[3]]);
            }
        }
        assert!(kept > 0, "comments may be others");
        // With a graph that has a tour, the reason is rejected, and so are all its mutations.
        let larger = with_a_tour(&instance, ends).unwrap();
        let larger = self::instance(larger, ends).unwrap();
        let asked = Asked::new("question", &larger, ends);
        assert!(refused(&text, &asked).contains("the certificate is about the graph"));
        let text = self::text(&asked, &reason);
        assert!(!accepted(text.as_bytes(), &asked));
        for other in tampered(&text) {
            assert!(!accepted(&other, &asked), "{}", String::from_utf8_lossy(&other));
        }
    }
}

#[test]
fn lines_that_are_wrong_are_named() {
    let (instance, ends, reason) = small().swap_remove(0);
    let asked = Asked::new("question", &instance, ends);
    let text = text(&asked, &reason);
    assert_eq!(
        text,
        "hamcnf certificate 1\nc in words\nquestion question\ntours closed\n\
         graph 5 vertices 6 edges crc32 2858d461\nbecause parts\nwithout 3\nend\n"
    );
    for (from, to, said) in [
        ("hamcnf certificate 1", "p cnf 1 1", "line 1: expected \"hamcnf certificate 1\", but found \"p cnf 1 1\""),
        (
            "certificate 1",
            "certificate 2",
            "line 1: expected \"hamcnf certificate 1\", but found \"hamcnf certificate 2\"",
        ),
        (
            "tours closed",
            "tours open from 1 to anywhere",
            "line 4: the certificate is about other tours than the question: \"open from 1 to anywhere\" instead of \"closed\"",
        ),
        (
            "because parts",
            "because luck",
            "line 6: unknown reason \"luck\"; choose from parts, colours, far-sides, few, decomposition",
        ),
        ("because parts", "because colours", "line 7: expected \"end\", but found \"without 3\""),
        ("without 3", "without 6", "line 7: \"6\" is not a vertex of the graph"),
        ("without 3", "without 3 3", "line 7: \"3\" occurs twice"),
        ("without 3", "without 3\nwithout 3", "line 8: \"3\" occurs twice"),
        ("without 3", "without", "line 7: \"\" is not a vertex of the graph"),
        ("parts\nwithout 3", "far-sides\nbeyond 3", "line 8: \"beyond\" must name 2 vertices, but names 1"),
        ("parts\nwithout 3", "decomposition\neliminate 3", "line 8: \"eliminate\" must name 5 vertices, but names 1"),
        ("end\n", "", "line 8: expected \"end\", but found the end of the file"),
        ("end\n", "end\nend\n", "line 9: expected \"the end of the file\", but found \"end\""),
        ("end\n", "e\u{1b}[2Jd\n", "line 8: expected \"end\", but found \"e\\u{1b}[2Jd\""),
    ] {
        assert_eq!(refused(&text.replace(from, to), &asked), said);
    }
    let long = text.replace("in words", &"long ".repeat(LONGEST));
    assert_eq!(refused(&long, &asked), "line 2: the line is longer than 65536 bytes");
    let lines = Asked::new("a\nb", &instance, ends);
    assert!(write(&lines, &reason, "", &mut Vec::new()).is_err());
    // A comment that would be too long to read back is shortened.
    let mut text = Vec::new();
    write(&asked, &reason, &"\u{1f40e}".repeat(LONGEST), &mut text).unwrap();
    assert!(read(&text, &asked).is_ok());
    // The longest question that `write` accepts can be read.
    for (more, is_written) in [(0, true), (1, false)] {
        let long = "q".repeat(LONGEST - "question".len() - 1 + more);
        let asked = Asked::new(long, &instance, ends);
        let mut text = Vec::new();
        let written = write(&asked, &reason, "", &mut text);
        assert_eq!(written.is_ok(), is_written, "{more}");
        if is_written {
            assert!(read(&text, &asked).is_ok());
        }
    }
}

fn by_decomposition(graph: Graph, order: Vec<Vertex>) -> Result<(), Unverified> {
    let instance = instance(graph, Endpoints::Closed).unwrap();
    let asked = Asked::new("question", &instance, Endpoints::Closed);
    check(&asked, &decomposition::KIND.of(order), &Limits::default()).map(drop)
}

/// Tests that the elimination finds a Hamiltonian cycle of GP(n, 2), a generalized Petersen graph, unless n ≡ 5
/// modulo 6. This is correct: B. Alspach: *The classification of hamiltonian generalized Petersen graphs*, 1983.
#[test]
fn generalized_petersen_graphs() {
    for n in [5, 11, 601, 2003, 7, 600] {
        let edges = |v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)];
        let graph = Graph::from_edges(2 * n, (0..n).flat_map(edges)).unwrap();
        let around = (0..n).flat_map(|v| [v, n + v]).map(Vertex::new).collect();
        let expected = match n % 6 {
            5 => Ok(()),
            _ => Err(Unverified::Invalid(WAY_THROUGH.to_owned())),
        };
        assert_eq!(by_decomposition(graph, around), expected, "{n}");
    }
}

#[test]
fn narrow_boards() {
    for (board, tour) in
        [("4x5", false), ("4x30", false), ("3x8", false), ("3x9", false), ("3x10", true), ("3x30", true)]
    {
        let board: Board = board.parse().unwrap();
        let mut order: Vec<_> = board.graph().vertices().collect();
        order.sort_by_key(|v| v.number() % board.cols());
        let expected = if tour { Err(Unverified::Invalid(WAY_THROUGH.to_owned())) } else { Ok(()) };
        assert_eq!(by_decomposition(board.graph(), order), expected, "{board}");
    }
}

#[test]
fn what_is_too_wide_or_stopped_is_not_known() {
    let board: Board = "8x8".parse().unwrap();
    let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
    let asked = Asked::new("8x8", &instance, Endpoints::Closed);
    let order = instance.graph().vertices().collect();
    let reason = decomposition::KIND.of(order);
    let few = Limits { states: 1000, ..Limits::default() };
    let wide = check(&asked, &reason, &few).unwrap_err();
    assert_eq!(wide, Unverified::TooWide(1000));
    let stopped = Limits { stop: &|| true, ..Limits::default() };
    let stopped = check(&asked, &reason, &stopped).unwrap_err();
    assert_eq!(stopped, Unverified::Stopped);
}
