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

use super::{Format, FormatError, Listed, Wrong, at, dimacs, edges, lines, shown, tsplib};

/// Reads a text, of a file whose name ends as those of a format perhaps.
pub(super) fn read(text: &str, ending: Option<Format>) -> Result<Listed, FormatError> {
    if let Some(format) = certain(text)? {
        return format.read(text);
    }
    // These endings are those of any text, and of lists that are recognised.
    let ending = ending.filter(|format| ![Format::EDGES, Format::EDGES_HEADER].contains(format));
    let read = match (list(text, ending), ending) {
        (Err(_), Some(format)) => format.read(text),
        (read, _) => read,
    };
    // No format has read it, so that a guess takes nothing away.
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
    let all = Format::all();
    let said = all
        .iter()
        .find(|format| format.said().is_some_and(|said| said == first));
    let certain = said.or_else(|| all.iter().find(|format| format.begins(text)));
    Ok(certain.copied())
}

/// A format of other programs that a text looks like.
fn foreign(text: &str) -> Option<&'static str> {
    let first = edges::uncommented(text)?;
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

/// Reads a list of edges or of neighbours, or a matrix.
fn list(text: &str, ending: Option<Format>) -> Result<Listed, FormatError> {
    let (number, first) = lines(text)
        .find(|(_, line)| !edges::is_comment(line))
        .ok_or(Wrong::Empty)?;
    let named = edges::are_named(text);
    // What is called a file of another format is not taken for names.
    if let Some(format) = ending.filter(|_| named) {
        return format.read(text);
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
    if let Some(format) = ending.filter(|format| format.read_strictly().is_some()) {
        return format.read(text);
    }
    let mut read = Vec::new();
    let mut wrong = vec![(Format::EDGES, pairs.clone())];
    for format in Format::all() {
        let Some(read_strictly) = format.read_strictly() else {
            continue;
        };
        match read_strictly(text) {
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
        let may_be_tsplib = tsplib::is_keyword(first)
            && (shouts || !named)
            && !has_comments
            && !first.contains([',', '\t']);
        return Err(match may_be_tsplib && !weighted {
            // Which this is the error for.
            true => match tsplib::read(text) {
                Err(error) => error,
                Ok(listed) => return Ok(listed),
            },
            false if edges::has_whole_weights(text) => at(number, Wrong::Weight(shown(first))),
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
