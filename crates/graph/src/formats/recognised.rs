//! Which format a text is in, where nobody says it. It is certain
//!
//! - where the first line is a comment that says it, `# adjlist` or `% metis`, as what is written here does where it would
//!   else be unclear;
//! - of graph6 by its header, or where the first line is as long as the graph that it begins with takes;
//! - of sparse6 by its header or the colon, of GraphML by `<`, of DOT by `graph` before `{`, of GML by `graph` before `[`, of
//!   Pajek's format by `*Vertices`, of ASP by a fact `edge(` or `node(`, of TSPLIB by a keyword with a colon behind it, of DIMACS
//!   by `c`, `p` or `e`.
//!
//! What begins with a number is a list of edges, if every line has two of them ([`edges`]). Others are METIS's lists,
//! networkx's or a matrix, where they are one of these as strictly as programs write them: the neighbours of METIS know each
//! other, a vertex of networkx has a line behind those that name it, a matrix is symmetric. A text that is more than one of
//! these is taken for none, unless it is the same graph.
//!
//! The ending of a file's name decides which of these lists it is, and else what is not certain or none of them.

use super::{
    Format, FormatError, Listed, Wrong, adjacency, asp, at, dimacs, dot, edges, gml, graph6, lines,
    matrix, metis, pajek, read_in, tsplib,
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
    const SAY_IT: [Format; 5] = [
        Format::EdgesHeader,
        Format::AdjacencyList,
        Format::Matrix,
        Format::Metis,
        Format::Asp,
    ];
    let says = |format: &&Format| format.said().is_some_and(|said| said == first);
    if let Some(&said) = SAY_IT.iter().find(says) {
        return Ok(Some(said));
    }
    if first.starts_with('<') {
        return Ok(Some(Format::GraphMl));
    }
    if graph6::begins(text) {
        let string = graph6::strings(text).next();
        let is_sparse = string.is_some_and(|(_, string)| string.starts_with([':', ';']));
        return Ok(Some(match is_sparse || first.starts_with(">>sparse6") {
            true => Format::Sparse6,
            false => Format::Graph6,
        }));
    }
    if dot::begins(text) {
        return Ok(Some(Format::Dot));
    }
    if gml::begins(text) {
        return Ok(Some(Format::Gml));
    }
    if asp::begins(text) {
        return Ok(Some(Format::Asp));
    }
    let Some((_, first)) = lines(text).find(|(_, line)| !edges::is_comment(line)) else {
        return Ok(None);
    };
    if pajek::is_section(first) {
        return Ok(Some(Format::Pajek));
    }
    let word = first.split([' ', '\t', ':']).next().unwrap_or_default();
    Ok(match word {
        "p" => Some(Format::Dimacs),
        "c" | "e" if !are_names(text) => Some(Format::Dimacs),
        _ if is_keyword(word) && has_key(first) => Some(Format::Tsplib),
        _ => None,
    })
}

/// A format of other programs that a text looks like.
fn foreign(text: &str) -> Option<&'static str> {
    let mut begins = lines(text).filter(|(_, line)| !edges::is_comment(line));
    let (_, first) = begins.next()?;
    let is_json = first.starts_with('{') || first.starts_with('[');
    is_json.then_some("JSON")
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

/// True if words that DIMACS lines begin with are names of vertices: there is no header, and lines begin with other words.
fn are_names(text: &str) -> bool {
    let words = |line: &str| line.split_whitespace().count();
    let has_header = lines(text).any(|(_, line)| line.starts_with("p ") && words(line) > 2);
    let is_other = |line: &str| {
        let word = line.split_whitespace().next();
        !word.is_some_and(|word| ["c", "e", "a", "n", "p"].contains(&word))
    };
    !has_header && lines(text).any(|(_, line)| is_other(line))
}

/// True if a line is one word before a colon.
fn has_key(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key.trim());
    key.is_some_and(|key| !key.contains(char::is_whitespace))
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
    let pairs = match edges::read(text, false) {
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
        let has_comments = lines(text).next().is_none_or(|(line, _)| line != number);
        let may_be_tsplib = is_keyword(first)
            && (shouts || !named)
            && !has_comments
            && !first.contains([',', '\t']);
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
