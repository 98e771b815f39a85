//! Recognition of a text's format, if the caller does not name it. The format is certain in these cases:
//!
//! - The first line is a comment that names the format, such as `# adjlist` or `% metis`. This crate writes this
//!   comment if the format would otherwise be unclear.
//! - A graph6 text begins with its header, or its first line has exactly the length that the number of vertices at its
//!   beginning requires.
//! - sparse6 begins with its header or a colon, GraphML with `<`, DOT with `graph` before `{`, GML with `graph` before
//!   `[`, Pajek with `*Vertices`, ASP with a fact `edge(` or `node(`, TSPLIB with a keyword and a colon, DIMACS with
//!   `c`, `p` or `e`.
//!
//! A text that begins with a number is a list of edges if every line has two numbers ([`edges`]). Other texts of
//! numbers are read as METIS lists, networkx lists or matrices, but only in the strict form in which programs write
//! them. In METIS lists, neighbourhoods must be symmetric. In adjacency lists, each vertex must have a line, and the text
//! must not look like a list of edges with weights. A text that fits several of these formats is rejected, unless all
//! readings give the same graph.
//!
//! The extension of the file name chooses among these lists. It also decides if no format is certain and no list fits.

use super::{
    Directedness, Format, FormatError, TextGraph, Wrong, adjacency, at, dimacs, edges, foreign, lines, shown, tsplib,
};

/// Recognises the format of a text, and reads the graph. `ending` is the format that uses the extension of the file
/// name, if any. A text with several readings is unclear if they differ under `directedness`.
pub(super) fn read(text: &str, ending: Option<Format>, directedness: Directedness) -> Result<TextGraph, FormatError> {
    if let Some(format) = certain(text)? {
        return format.read(text).map_err(|error| foreign::named(text).unwrap_or(error));
    }
    // Files with the extensions of these two formats may contain any kind of list, so the extensions decide nothing.
    let ending = ending.filter(|format| ![Format::EDGES, Format::EDGES_HEADER].contains(format));
    let read = match (list(text, ending, directedness), ending) {
        (Err(_), Some(format)) => format.read(text),
        (read, _) => read,
    };
    read.map_err(|error| foreign::named(text).or_else(|| in_brackets(text)).unwrap_or(error))
}

/// Returns the error for a text in brackets, which no format has accepted; `None` for other texts.
fn in_brackets(text: &str) -> Option<FormatError> {
    let first = edges::uncommented(text)?;
    let rest = first.strip_prefix(['{', '['])?;
    let is_object = first.starts_with('{') && !rest.trim_start().starts_with('{');
    let json = Format::JSON.read(text).err()?;
    let matrix = Format::MATRIX.read(text).err()?;
    // Matrices may lack commas.
    let is_broken = matches!(json.wrong, Wrong::Json(_)) && text.contains(',');
    Some(match is_object || is_broken {
        true => json,
        false => Wrong::NoList(vec![(Format::JSON, json), (Format::MATRIX, matrix)]).into(),
    })
}

/// Returns the format that the beginning of a text shows with certainty; `None` if no format is certain.
pub(super) fn certain(text: &str) -> Result<Option<Format>, FormatError> {
    let (number, first) = lines(text).next().ok_or(Wrong::Empty)?;
    if first.starts_with(OPB) {
        return Err(at(number, Wrong::Opb));
    }
    if foreign::konect(first) == Some("bip") {
        return Err(at(number, Wrong::Foreign("a bipartite KONECT list, whose two sides have the same numbers")));
    }
    if are_clauses(text) {
        return Err(at(number, Wrong::Clauses));
    }
    if first.starts_with(CERTIFICATE) {
        return Err(at(number, Wrong::Certificate));
    }
    if first.starts_with(['{', '[']) && ["\"instance\"", "\"tours\""].iter().all(|field| text.contains(field)) {
        return Err(at(number, Wrong::Tour));
    }
    let mut uncommented = lines(text).filter(|(_, line)| !line.starts_with("c "));
    if let Some((number, _)) = uncommented.next().filter(|(_, line)| is_answer(line)) {
        return Err(at(number, Wrong::Answer));
    }
    let all = Format::all();
    let said = all.iter().find(|format| format.said().is_some_and(|said| said == first));
    let certain = said.or_else(|| all.iter().find(|format| format.begins(text)));
    Ok(certain.copied())
}

/// True if each line of a text, except for comments, is a clause that ends with 0, and a literal is negative.
fn are_clauses(text: &str) -> bool {
    let mut has_negative = false;
    let mut lines = lines(text).filter(|(_, line)| !line.starts_with('c'));
    let are_all = lines.all(|(_, line)| {
        has_negative |= line.contains('-');
        let mut words = line.split_ascii_whitespace();
        words.clone().all(|word| word.parse::<i32>().is_ok()) && words.next_back() == Some("0")
    });
    are_all && has_negative
}

/// True if a line can begin the output of a SAT solver, or the output file of minisat.
fn is_answer(line: &str) -> bool {
    let word = line.strip_prefix("s ").unwrap_or(line);
    matches!(word, "SATISFIABLE" | "UNSATISFIABLE" | "UNKNOWN") || matches!(line, "SAT" | "UNSAT")
}

/// Beginning of a certificate.
const CERTIFICATE: &str = "hamcnf certificate ";

/// Beginning of a pseudo-Boolean formula in the OPB format.
const OPB: &str = "* #variable=";

/// Reads a text that is a list of edges, a list of neighbours, or a matrix.
fn list(text: &str, ending: Option<Format>, directedness: Directedness) -> Result<TextGraph, FormatError> {
    let (number, first) = lines(text).find(|(_, line)| !edges::is_comment(line)).ok_or(Wrong::Empty)?;
    // With a comma in each line, the list would also be a table of names.
    if adjacency::has_colons_and_commas(text) {
        return adjacency::read(text);
    }
    if ending.is_none() && is_count(text) {
        return Err(at(number, Wrong::Count(first.to_owned())));
    }
    let has_caption = adjacency::is_caption(first);
    let named = !has_caption && edges::are_named(text);
    // If the file name has the extension of another format, a list of names is read in that format.
    if let Some(format) = ending.filter(|_| named) {
        return format.read(text);
    }
    // If the extension is that of another kind of list, the list may also fit the format of edges.
    if let Some(read) = ending.and_then(Format::read_strictly)
        && let Ok(graph) = read(text)
    {
        return Ok(graph);
    }
    let pairs = match edges::read(text, false, directedness) {
        _ if has_caption => at(number, Wrong::Caption),
        Err(error)
            if matches!(error.wrong, Wrong::Line { .. } | Wrong::Named(_) | Wrong::Mixed(_) | Wrong::Weight(_)) =>
        {
            error
        }
        // If the extension is that of another format, names among numbers are probably errors.
        Ok(graph) if ending.is_some() && graph.is_mixed() => at(number, Wrong::NoEdge),
        listed => return listed,
    };
    // A cut line must not change the format of the text.
    if let Some((line, cut)) = edges::cut_line(text) {
        return Err(at(line, Wrong::Cut(shown(cut))));
    }
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
        let whole_weights = edges::whole_weights(text);
        let shouts = first.split(' ').next().is_some_and(|word| word == word.to_uppercase());
        let has_comments = lines(text).next().is_none_or(|(line, _)| line != number);
        let may_be_tsplib =
            tsplib::is_keyword(first) && (shouts || !named) && !has_comments && !first.contains([',', ';', '\t']);
        return Err(match may_be_tsplib && !weighted {
            // Read the text as TSPLIB, because TSPLIB's error message explains the problem.
            true => match tsplib::read(text) {
                Err(error) => error,
                Ok(listed) => return Ok(listed),
            },
            false if whole_weights.is_some() => {
                let (line, entry) = whole_weights.unwrap_or((number, first));
                at(line, Wrong::Weight(shown(entry)))
            }
            false if is_of_numbers(text) && !weighted => Wrong::NoList(wrong).into(),
            false if first.starts_with("e ") => dimacs::read(text).err().unwrap_or(pairs),
            false => pairs,
        });
    };
    if read.iter().all(|other| one.agrees(other, directedness)) {
        return Ok(one);
    }
    let formats = read.iter().map(TextGraph::format);
    Err(Wrong::Formats(formats.chain([one.format()]).collect()).into())
}

/// True if the first line has one number and every other line has two. The number may be that of the vertices, or a
/// vertex without neighbours.
fn is_count(text: &str) -> bool {
    let mut lines = lines(text).filter(|(_, line)| !edges::is_comment(line)).map(|(_, line)| line);
    let numbers = |line: &str| {
        let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(str::parse::<u64>);
        words.try_fold(0, |count, number| number.map(|_| count + 1)).unwrap_or(0)
    };
    lines.next().is_some_and(|first| numbers(first) == 1)
        && lines.next().is_some_and(|second| numbers(second) == 2)
        && lines.all(|line| numbers(line) == 2)
}

fn is_of_numbers(text: &str) -> bool {
    let mut lines = lines(text).filter(|(_, line)| !edges::is_comment(line));
    lines.all(|(_, line)| {
        let mut bytes = line.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || b" \t,".contains(&byte))
    })
}
