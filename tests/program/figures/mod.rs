//! Figures in texts: every figure in README must follow from the committed rows.

mod held;
mod origin;
mod words;

use std::fs;
use std::path::Path;

use held::{Figures, FiguresError, Held};

/// Compares a text with the rows in the folder `results`.
fn hold(folder: &Path, text: &str, origins: &str) -> Result<Held, FiguresError> {
    let figures = Figures::read(&folder.join(origins))?;
    figures.hold(&fs::read_to_string(folder.join(text)).unwrap(), Path::new("results"))
}

/// Tests the figures in the two READMEs. With `HAMCNF_UPDATE=1`, corrects the figures instead.
#[test]
fn the_figures_of_readme_follow_from_the_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Paths in messages are relative to the repository's root, which is the working directory of tests.
    for (text, origins) in
        [("README.md", "experiments/figures.toml"), ("results/README.md", "experiments/figures-results.toml")]
    {
        let held = hold(root, text, origins).unwrap();
        assert!(held.amiss.is_empty(), "{text}: {:#?}", held.amiss);
        if std::env::var("HAMCNF_UPDATE").is_ok_and(|update| update == "1") {
            fs::write(root.join(text), &held.mended).unwrap();
        } else {
            assert!(held.wrong.is_empty(), "{text}: {:#?}", held.wrong);
        }
        assert!(held.n_figures > 0);
    }
}

/// Returns a folder with rows, a text about these rows, and the origins of the text's figures.
fn folder(text: &str, origins: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let heading = "schema,question,graph_crc32,method,seed,wall_limit,cpu_limit,memory_limit,conflict_limit,status,value,\
                   message,variables,clauses,statistics,encode_seconds,solve_seconds,cpu_seconds,wall_seconds,peak_rss_kib,\
                   version,commit,solver,machine";
    let row = |question: &str, seconds: &str, status: &str| {
        format!("3,{question},,auto,0,60.0,10.0,,,{status},,,,,conflicts=871,,,{seconds},,,0.1.0,c,s,m\n")
    };
    let rows = [row("6x6", "0.25", "tour"), row("8x8", "0.5", "tour"), row("9x9", "10.0", "timeout")];
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    write("results/x.csv", &format!("{heading}\n{}", rows.concat()));
    write("text.md", text);
    write("figures.toml", origins);
    folder
}

const TEXT: &str =
    "# A\n\nFrom 7.\n\n## Results\n\nTours of 8×8 take 0.7\n  s, of three 3\nare answered (Table 1), see [x](2.md).\n";
const ORIGINS: &str = "whole = ['Results']\ngiven = ['Table 1']\n[[figures]]\nsays = 'take {} s, of {} {} are'\n\
                       are = [{ rows = 'x', question = '8x8', take = 'value' }, { rows = 'x', take = 'asked', letters = true }, \
                       { rows = 'x', take = 'answered' }]\n";

/// Checks the figures in `text.md` against the rows. The folder must come from the function [`folder`]. File paths in
/// messages are relative to the folder.
fn hold_in(folder: &tempfile::TempDir) -> Result<Held, String> {
    let path = folder.path();
    let within = |text: &str| text.replace(&format!("{}/", path.display()), "");
    let figures = Figures::read(&path.join("figures.toml"));
    let text = fs::read_to_string(path.join("text.md")).unwrap();
    let held = figures.and_then(|figures| figures.hold(&text, &path.join("results")));
    let each = |all: Vec<String>| all.iter().map(|one| within(one)).collect();
    held.map(|held| Held { wrong: each(held.wrong), amiss: each(held.amiss), ..held })
        .map_err(|error| within(&error.to_string()))
}

#[test]
fn figures_that_rows_give_otherwise_are_named_and_mended() {
    let held = hold_in(&folder(TEXT, ORIGINS)).unwrap();
    assert_eq!(held.n_figures, 3);
    assert_eq!(
        held.wrong,
        [
            "0.7 stands in 'take {} s, of {} {} are', and 0.50 in results/x.csv",
            "3 stands in 'take {} s, of {} {} are', and 2 in results/x.csv",
        ]
    );
    assert!(held.amiss.is_empty(), "{:?}", held.amiss);
    let mended = TEXT.replace("0.7\n", "0.50\n").replace("three 3", "three 2");
    assert_eq!(held.mended, mended);
    let again = hold_in(&folder(&mended, ORIGINS)).unwrap();
    assert!(again.wrong.is_empty() && again.amiss.is_empty(), "{again:?}");
}

#[test]
fn a_figure_that_is_typed_by_hand_is_found() {
    let mended = TEXT.replace("0.7\n", "0.50\n").replace("three 3", "three 2");
    let amiss = |text: &str| hold_in(&folder(text, ORIGINS)).unwrap().amiss;
    assert_eq!(
        amiss(&format!("{mended}It is 12 times faster.\n")),
        ["line 10: 12 in '1), see [x](2.md). It is 12' comes from no rows"]
    );
    assert_eq!(
        amiss(&mended.replace("are answered", "come out")),
        [
            "there is no 'take {} s, of {} {} are'",
            "line 7: 0.50 in 'Results Tours of 8×8 take 0.50' comes from no rows",
            "line 8: 2 in 'take 0.50 s, of three 2' comes from no rows",
        ]
    );
    assert_eq!(
        amiss(&format!("{mended}A Table 1.\n")),
        [
            "'Table 1' is there 2 times",
            "line 9: 1 in 'three 2 are answered (Table 1' comes from no rows",
            "line 10: 1 in '1), see [x](2.md). A Table 1' comes from no rows",
        ]
    );
}

#[test]
fn origins_that_say_nothing_are_refused() {
    let one = |origin: &str| format!("[[figures]]\nsays = 'take {{}} s'\nare = [{{ {origin} }}]\n");
    for (origins, why) in [
        (
            one("rows = 'x', take = 'median', question = '9x9'"),
            "the rows of results/x.csv have no figure for 'take {} s': limits leave it open",
        ),
        (one("rows = 'y', take = 'rows'"), "cannot read results/y.csv: No such file or directory (os error 2)"),
        (one("rows = 'x', take = 'mean'"), "figures.toml: line 3: unknown statistic \"mean\""),
        (one("rows = 'x', takes = 'rows'"), "figures.toml: line 3: unknown key \"takes\""),
        (
            "[[figures]]\nsays = 'take {} s, of {}'\nare = []\n".to_owned(),
            "'take {} s, of {}' has 2 figures, but 0 origins; 'are' must list one origin per figure",
        ),
    ] {
        let said = hold_in(&folder(TEXT, &origins)).unwrap_err();
        assert!(said.starts_with(why), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
