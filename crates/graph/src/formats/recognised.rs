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

use super::*;

/// Recognises the format of a text, and reads the graph. `ending` is the format that uses the extension of the file
/// name, if any. A text with several readings is unclear if they differ under `directedness`.
pub(super) fn read(text: &str, ending: Option<Format>, directedness: Directedness) -> Result<TextGraph, FormatError> {
    if let Some(format) = certain(text)? {
        return (format.read)(text).map_err(|error| foreign::named(text).unwrap_or(error));
    }
    // Files with the extensions of these two formats may contain any kind of list, so the extensions decide nothing.
    let ending = ending.filter(|format| ![Format::EDGES, Format::EDGES_HEADER].contains(format));
    let read = match (list(text, ending, directedness), ending) {
        (Err(_), Some(format)) => (format.read)(text),
        (read, _) => read,
    };
    read.map_err(|error| foreign::named(text).or_else(|| in_brackets(text)).unwrap_or(error))
}

/// Returns the error for a text in brackets, which no format has accepted; `None` for other texts.
fn in_brackets(text: &str) -> Option<FormatError> {
    let first = first_content(text);
    let rest = first.strip_prefix(['{', '['])?;
    let is_object = first.starts_with('{') && !rest.trim_start().starts_with('{');
    let json = (Format::JSON.read)(text).err()?;
    let matrix = (Format::MATRIX.read)(text).err()?;
    // Matrices may lack commas.
    let is_broken = matches!(json.wrong, Wrong::Json(_)) && text.contains(',');
    Some(match is_object || is_broken {
        true => json,
        false => no_list(&[(Format::JSON, json), (Format::MATRIX, matrix)]),
    })
}

/// Returns the format that the beginning of a text shows with certainty; `None` if no format is certain.
pub(super) fn certain(text: &str) -> Result<Option<Format>, FormatError> {
    let (number, first) = lines(text).next().ok_or_else(|| at(0, EMPTY))?;
    if foreign::konect(first) == Some("bip") {
        let name = "a bipartite KONECT list, whose two sides have the same numbers";
        return Err(super::foreign(number, name));
    }
    let is_json = first.starts_with(['{', '[']);
    let others = [
        (first.starts_with("* #variable="), "the text is a pseudo-Boolean formula, not a graph"),
        (are_clauses(text), "the text has clauses, but not the line \"p cnf VARIABLES CLAUSES\" before them"),
        (
            first.starts_with("hamcnf certificate "),
            "the text is a certificate, not a graph; check it with `hamcnf verify --proof`",
        ),
        (
            is_json && ["\"instance\"", "\"tours\""].iter().all(|field| text.contains(field)),
            "the text is a tour in JSON, not a graph; read it with `hamcnf check` or `hamcnf show`",
        ),
    ];
    if let Some((_, sentence)) = others.iter().find(|(is, _)| *is) {
        return Err(at(number, *sentence));
    }
    let mut uncommented = lines(text).filter(|(_, line)| !line.starts_with("c "));
    if let Some((number, _)) = uncommented.next().filter(|(_, line)| is_answer(line)) {
        return Err(at(number, "the text is a solver's answer, not a graph"));
    }
    let all = Format::all();
    let titled = all.iter().find(|format| format.is_title_of(text));
    Ok(titled.or_else(|| all.iter().find(|format| (format.begins)(text))).copied())
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

/// Reads a text that is a list of edges, a list of neighbours, or a matrix.
fn list(text: &str, ending: Option<Format>, directedness: Directedness) -> Result<TextGraph, FormatError> {
    let (number, first) = content(text).next().ok_or_else(|| at(0, EMPTY))?;
    // With a comma in each line, the list would also be a table of names.
    if adjacency::has_colons_and_commas(text) {
        return adjacency::read(text);
    }
    if ending.is_none() && is_count(text) {
        return Err(at(
            number,
            format!(
                "\"{first}\" may be the number of vertices, or a vertex without neighbours; remove the line, or name the format"
            ),
        ));
    }
    let has_caption = adjacency::is_caption(first);
    let named = !has_caption && edges::are_named(text);
    // If the file name has the extension of another format, a list of names is read in that format.
    if let Some(format) = ending.filter(|_| named) {
        return (format.read)(text);
    }
    // If the extension is that of another kind of list, the list may also fit the format of edges.
    if let Some(read) = ending.and_then(|format| format.read_strictly)
        && let Ok(graph) = read(text)
    {
        return Ok(graph);
    }
    let pairs = match edges::read(text, false, directedness) {
        _ if has_caption => at(number, "this form of showg is not supported; use `showg` or `showg -a`"),
        Err(error) if matches!(error.wrong, Wrong::Line { .. } | Wrong::Names(_) | Wrong::Weight(_)) => error,
        // If the extension is that of another format, names among numbers are probably errors.
        Ok(graph) if ending.is_some() && is_mixed(&graph) => at(number, "the text contains no edge"),
        listed => return listed,
    };
    // A cut line must not change the format of the text.
    if let Some((line, cut)) = edges::cut_line(text) {
        let advice = "put a name with \"#\" or \"%\" in double quotes";
        return Err(at(
            line,
            format!("\"{}\" has a comment sign after a blank, which leaves no edge; {advice}", shown(cut)),
        ));
    }
    if let Some(format) = ending.filter(|format| format.read_strictly.is_some()) {
        return (format.read)(text);
    }
    let mut read = Vec::new();
    let mut wrong = vec![(Format::EDGES, pairs.clone())];
    for format in Format::all() {
        match format.read_strictly.map(|read_strictly| read_strictly(text)) {
            Some(Ok(listed)) => read.push(listed),
            Some(Err(error)) => wrong.push((format, error)),
            None => {}
        }
    }
    let Some(one) = read.pop() else {
        let weighted = matches!(pairs.wrong, Wrong::Weight(_));
        let shouts = first.split(' ').next().is_some_and(|word| word == word.to_uppercase());
        let has_comments = is_comment(first_line(text));
        // TSPLIB's error message explains the problem.
        if tsplib::is_keyword(first)
            && (shouts || !named)
            && !(weighted || has_comments || first.contains([',', ';', '\t']))
        {
            return tsplib::read(text);
        }
        return Err(match edges::whole_weights(text) {
            Some((line, entry)) => at(line, Wrong::Weight(shown(entry))),
            None if is_of_numbers(text) && !weighted => no_list(&wrong),
            None if first.starts_with("e ") => (Format::DIMACS.read)(text).err().unwrap_or(pairs),
            None => pairs,
        });
    };
    if read.iter().all(|other| one.agrees(other, directedness)) {
        return Ok(one);
    }
    let formats: Vec<_> = read.iter().chain([&one]).map(|graph| graph.format).collect();
    let names = formats.iter().map(|format| format.name).collect::<Vec<_>>().join(" or ");
    let why = format!("the text fits several formats, which give different graphs: {names}");
    Err(Wrong::Unclear { formats, why }.into())
}

/// True if a list of edges has both names and numbers.
fn is_mixed(graph: &TextGraph) -> bool {
    graph.remarks.iter().any(|remark| matches!(remark, Remark::Mixed(..)))
}

/// True if the first line has one number and every other line has two. The number may be that of the vertices, or a
/// vertex without neighbours.
fn is_count(text: &str) -> bool {
    let mut lines = content(text).map(|(_, line)| line);
    let numbers = |line: &str| {
        let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(str::parse::<u64>);
        words.try_fold(0, |count, number| number.map(|_| count + 1)).unwrap_or(0)
    };
    lines.next().is_some_and(|first| numbers(first) == 1)
        && lines.next().is_some_and(|second| numbers(second) == 2)
        && lines.all(|line| numbers(line) == 2)
}

fn is_of_numbers(text: &str) -> bool {
    content(text).all(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit() || b" \t,".contains(&byte)))
}
