//! Which format a text is in, where nobody says it. It is certain
//!
//! - where the first line is a comment that says it, `# adjlist` or `% metis`, as what is written here does where it would
//!   else be unclear;
//! - of graph6 by its header, or where the first line is as long as the graph that it begins with takes;
//! - of sparse6 by its header or the colon, of GraphML by `<`, of DOT by `graph` before `{`, of TSPLIB by a keyword with a
//!   colon behind it, of DIMACS by `c`, `p` or `e`.
//!
//! What begins with a number is a list of edges, if every line has two of them ([`edges`]). Others are METIS's lists,
//! networkx's or a matrix, where they are one of these as strictly as programs write them: the neighbours of METIS know each
//! other, a vertex of networkx has a line behind those that name it, a matrix is symmetric. A text that is more than one of
//! these is taken for none, unless it is the same graph.
//!
//! The ending of a file's name decides which of these lists it is, and else what is not certain or none of them.

use super::{
    Format, FormatError, Listed, Wrong, adjacency, at, dimacs, dot, edges, graph6, lines, matrix,
    metis, read_in, sparse6, tsplib,
};

/// Reads a text, of a file whose name ends as those of a format perhaps.
pub(super) fn read(text: &str, ending: Option<Format>) -> Result<Listed, FormatError> {
    if let Some(format) = certain(text)? {
        return read_in(format, text);
    }
    // These endings are those of any text, and of lists that are recognised.
    let ending = ending.filter(|format| !matches!(format, Format::Edges | Format::EdgesHeader));
    let read = match (list(text, ending), ending) {
        (Err(_), Some(format)) => read_in(format, text),
        (read, _) => read,
    };
    // Nobody has read it, so that nothing is taken away by a guess.
    read.map_err(|error| match (foreign(text), lines(text).next()) {
        (Some(format), Some((number, _))) => at(number, Wrong::Foreign(format)),
        _ => error,
    })
}

/// The format that a text begins as, if that is certain.
fn certain(text: &str) -> Result<Option<Format>, FormatError> {
    let (number, first) = lines(text).next().ok_or(Wrong::Empty)?;
    if first.starts_with(OPB) {
        return Err(at(number, Wrong::Opb));
    }
    let mut uncommented = lines(text).filter(|(_, line)| !line.starts_with("c "));
    if let Some((number, _)) = uncommented.next().filter(|(_, line)| is_answer(line)) {
        return Err(at(number, Wrong::Answer));
    }
    const SAY_IT: [Format; 4] = [
        Format::EdgesHeader,
        Format::AdjacencyList,
        Format::Matrix,
        Format::Metis,
    ];
    let says = |format: &&Format| format.said().is_some_and(|said| said == first);
    if let Some(&said) = SAY_IT.iter().find(says) {
        return Ok(Some(said));
    }
    if first.starts_with('<') {
        return Ok(Some(Format::GraphMl));
    }
    if first.starts_with(sparse6::HEADER) || first.starts_with([':', ';']) {
        return Ok(Some(Format::Sparse6));
    }
    if first.starts_with(graph6::HEADER) || graph6::is_whole(first) {
        return Ok(Some(Format::Graph6));
    }
    if dot::begins(text) {
        return Ok(Some(Format::Dot));
    }
    let Some((_, first)) = lines(text).find(|(_, line)| !edges::is_comment(line)) else {
        return Ok(None);
    };
    let word = first.split([' ', '\t', ':']).next().unwrap_or_default();
    Ok(match word {
        "c" | "p" | "e" => Some(Format::Dimacs),
        _ if is_keyword(word) && first.contains(':') => Some(Format::Tsplib),
        _ => None,
    })
}

/// A format of other programs that a text looks like.
fn foreign(text: &str) -> Option<&'static str> {
    let mut begins = lines(text).filter(|(_, line)| !edges::is_comment(line));
    let (_, first) = begins.next()?;
    let lower = first.to_ascii_lowercase();
    if ["*vertices", "*network", "*edges", "*arcs"]
        .iter()
        .any(|word| lower.starts_with(word))
    {
        return Some("Pajek's format");
    }
    if first.starts_with('{') || first.starts_with('[') {
        return Some("JSON");
    }
    let opens = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("graph") && words.next().is_none_or(|word| word == "[")
    };
    let says_who = lower.starts_with("creator ") || lower.starts_with("version ");
    let is_gml = text.contains('[') && (opens(first) || says_who && text.lines().any(opens));
    is_gml.then_some("GML")
}

/// Whether a line is what SAT solvers and minisat's output files begin with.
fn is_answer(line: &str) -> bool {
    let word = line.strip_prefix("s ").unwrap_or(line);
    matches!(word, "SATISFIABLE" | "UNSATISFIABLE" | "UNKNOWN") || matches!(line, "SAT" | "UNSAT")
}

/// What formulas for pseudo-Boolean solvers begin with.
const OPB: &str = "* #variable=";

fn is_keyword(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// Reads a list of edges or of neighbours, or a matrix.
fn list(text: &str, ending: Option<Format>) -> Result<Listed, FormatError> {
    let (number, first) = lines(text)
        .find(|(_, line)| !edges::is_comment(line))
        .ok_or(Wrong::Empty)?;
    let named = edges::are_named(text);
    // What is called a file of another format is not taken for names.
    if let Some(format) = ending.filter(|_| named) {
        return read_in(format, text);
    }
    let pairs = match edges::read(text) {
        Err(error)
            if matches!(
                error.wrong,
                Wrong::Line { .. } | Wrong::Named(_) | Wrong::Mixed(_) | Wrong::Weight(_)
            ) =>
        {
            error
        }
        listed => return listed,
    };
    if let Some(format @ (Format::Metis | Format::AdjacencyList | Format::Matrix)) = ending {
        return read_in(format, text);
    }
    let mut read = Vec::new();
    let mut wrong = vec![(Format::Edges, pairs.clone())];
    for (format, listed) in [
        (Format::Metis, metis::read(text)),
        (Format::AdjacencyList, adjacency::read_surely(text)),
        (Format::Matrix, matrix::read_surely(text)),
    ] {
        match listed {
            Ok(listed) => read.push(listed),
            Err(error) => wrong.push((format, error)),
        }
    }
    let Some(one) = read.pop() else {
        let weighted = matches!(pairs.wrong, Wrong::Weight(_));
        let shouts = first
            .split(' ')
            .next()
            .is_some_and(|word| word == word.to_uppercase());
        let may_be_tsplib = is_keyword(first) && (shouts || !named) && !first.contains([',', '\t']);
        return Err(match may_be_tsplib && !weighted {
            // Which this is the error for.
            true => match tsplib::read(text) {
                Err(error) => error,
                Ok(listed) => return Ok(listed),
            },
            false if edges::has_whole_weights(text) => {
                at(number, Wrong::Weight(super::shown(first)))
            }
            false if is_of_numbers(text) && !weighted => Wrong::NoList(wrong).into(),
            false if first.starts_with("e ") => dimacs::read(text).err().unwrap_or(pairs),
            false => pairs,
        });
    };
    let same = |other: &Listed| other.graph == one.graph && other.names == one.names;
    if read.iter().all(same) {
        return Ok(one);
    }
    let formats = read.iter().map(|listed| listed.format);
    Err(Wrong::Formats(formats.chain([one.format]).collect()).into())
}

fn is_of_numbers(text: &str) -> bool {
    let mut lines = lines(text).filter(|(_, line)| !edges::is_comment(line));
    lines.all(|(_, line)| {
        let mut bytes = line.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || b" \t,".contains(&byte))
    })
}
