//! Figures in texts follow from rows: those of README from the rows that are kept, and `hamcnf figures` on others.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn figures(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hamcnf"))
        .arg("figures")
        .args(args.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// With `HAMCNF_UPDATE=1` those that differ are written instead.
#[test]
fn the_figures_of_readme_follow_from_the_rows() {
    let update = std::env::var("HAMCNF_UPDATE").is_ok_and(|update| update == "1");
    let update = if update { "--update" } else { "" };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = figures(root, &format!("README.md {update}"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A folder with rows, a text about them, and where its figures come from.
fn folder(text: &str, origins: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let heading = "schema,question,graph,method,seed,wall_limit,cpu_limit,memory_limit,conflict_limit,status,answer,\
                   message,variables,clauses,effort,encode_seconds,solve_seconds,cpu_seconds,wall_seconds,peak_kib,\
                   version,commit,solver,machine";
    let row = |question: &str, seconds: &str, status: &str| {
        format!(
            "1,{question},,auto,0,60.0,10.0,,,{status},,,,,conflicts=871,,,{seconds},,,0.1.0,c,s,m\n"
        )
    };
    let rows = [
        row("6x6", "0.25", "tour"),
        row("8x8", "0.5", "tour"),
        row("9x9", "10.0", "timeout"),
    ];
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    write("results/x.csv", &format!("{heading}\n{}", rows.concat()));
    write("text.md", text);
    write("figures.toml", origins);
    folder
}

const TEXT: &str = "# A\n\nFrom 7.\n\n## Results\n\nTours of 8×8 take 0.7\n  s, of three 3\nare answered (Table 1), see [x](2.md).\n";
const ORIGINS: &str = "whole = ['Results']\ngiven = ['Table 1']\n[[figures]]\nsays = 'take {} s, of {} {} are'\n\
                       are = [{ rows = 'x', question = '8x8', take = 'value' }, { rows = 'x', take = 'asked', letters = true }, \
                       { rows = 'x', take = 'answered' }]\n";

#[test]
fn figures_that_rows_give_otherwise_are_named_and_mended() {
    let folder = folder(TEXT, ORIGINS);
    let args = "text.md --from figures.toml";
    let output = figures(folder.path(), args);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "text.md: 3 figures, 2 of them wrong\n");
    assert_eq!(
        stderr(&output),
        "hamcnf: text.md: 0.7 stands in 'take {} s, of {} {} are', and 0.50 in results/x.csv\n\
         hamcnf: text.md: 3 stands in 'take {} s, of {} {} are', and 2 in results/x.csv\n"
    );
    let output = figures(folder.path(), &format!("{args} --update"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "text.md: 3 figures, 2 of them changed\n");
    let text = fs::read_to_string(folder.path().join("text.md")).unwrap();
    let mended = TEXT
        .replace("0.7\n", "0.50\n")
        .replace("three 3", "three 2");
    assert_eq!(text, mended);
    let output = figures(folder.path(), args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        "text.md: 3 figures, all as the rows give them\n"
    );
}

#[test]
fn a_figure_that_is_typed_by_hand_is_found() {
    let mended = TEXT
        .replace("0.7\n", "0.50\n")
        .replace("three 3", "three 2");
    let said = |text: &str| {
        let folder = folder(text, ORIGINS);
        let output = figures(folder.path(), "text.md --from figures.toml");
        assert_eq!(output.status.code(), Some(1), "{text}");
        stderr(&output)
    };
    assert_eq!(
        said(&format!("{mended}It is 12 times faster.\n")),
        "hamcnf: text.md: line 10: 12 in '1), see [x](2.md). It is 12' comes from no rows\n"
    );
    assert_eq!(
        said(&mended.replace("are answered", "come out")),
        "hamcnf: text.md: there is no 'take {} s, of {} {} are'\n\
         hamcnf: text.md: line 7: 0.50 in 'Results Tours of 8×8 take 0.50' comes from no rows\n\
         hamcnf: text.md: line 8: 2 in 'take 0.50 s, of three 2' comes from no rows\n"
    );
    assert_eq!(
        said(&format!("{mended}A Table 1.\n")),
        "hamcnf: text.md: 'Table 1' is there 2 times\n\
         hamcnf: text.md: line 9: 1 in 'three 2 are answered (Table 1' comes from no rows\n\
         hamcnf: text.md: line 10: 1 in '1), see [x](2.md). A Table 1' comes from no rows\n"
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
        (
            one("rows = 'y', take = 'rows'"),
            "cannot read results/y.csv: No such file or directory (os error 2)",
        ),
        (
            one("rows = 'x', take = 'mean'"),
            "figures.toml: line 3: there is no statistic 'mean'",
        ),
        (
            one("rows = 'x', takes = 'rows'"),
            "figures.toml: line 3: there is no key 'takes'",
        ),
        (
            "[[figures]]\nsays = 'take {} s, of {}'\nare = []\n".to_owned(),
            "'take {} s, of {}' has 2 figures, and it is said where 0 come from",
        ),
    ] {
        let folder = folder(TEXT, &origins);
        let output = figures(folder.path(), "text.md --from figures.toml --update");
        assert_eq!(output.status.code(), Some(2), "{origins}");
        let said = stderr(&output);
        assert!(said.starts_with(&format!("hamcnf: {why}")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        let text = fs::read_to_string(folder.path().join("text.md")).unwrap();
        assert_eq!(text, TEXT);
    }
}
