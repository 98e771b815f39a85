//! Parser for descriptions of engines (external programs). An example is `experiments/engines.toml`, which explains the
//! fields at its beginning.
//!
//! A command is split into words once, as a shell would do, but is never passed to a shell. A word in braces is a
//! placeholder (`Hole`). Reading a file fails if a placeholder is misspelt, or if the engine has no value for it.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hamcnf_graph::named;
use hamcnf_graph::names::Named;
use hamcnf_tours::TourKind;
use serde::Deserialize;

use super::{Answers, Engine, Input, Version};
use crate::config;

/// List of engines (external programs) with unique names.
#[derive(Clone, Debug)]
pub struct Engines(Vec<Engine>);

impl Engines {
    /// Returns the engines that `experiments/engines.toml` described when this library was built.
    ///
    /// # Panics
    ///
    /// Never panics: the tests read the same descriptions.
    pub fn built_in() -> Self {
        let script = |path: &str| built_in_script(path).ok_or_else(|| no_script(path.as_ref()));
        let engines = described(include_str!("../../embedded/engines.toml"), script);
        Self(engines.expect("the descriptions of built-in engines are valid"))
    }

    /// Reads engines from a file. Adds the built-in engines whose names the file does not use.
    ///
    /// # Errors
    ///
    /// Returns [`EnginesError`], which names the file and the line or the engine.
    pub fn read(file: &Path) -> Result<Self, EnginesError> {
        let text = fs::read_to_string(file)
            .map_err(|error| EnginesError(format!("cannot read {}: {error}", file.display())))?;
        Self::parse(&text, file)
    }

    /// Parses the text of an engines file, like [`Engines::read`]. Error messages name `file`.
    ///
    /// # Errors
    ///
    /// Returns [`EnginesError`] if the text does not describe engines.
    pub fn parse(text: &str, file: &Path) -> Result<Self, EnginesError> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let script = |path: &str| {
            let path = folder.join(path);
            match path.is_file() {
                true => Ok(Script::File(path)),
                // A copy of the built-in file works without a copy of the scripts.
                false => built_in_script(&path.to_string_lossy()).ok_or_else(|| no_script(&path)),
            }
        };
        let mut engines = described(text, script).map_err(|why| EnginesError(format!("{}: {why}", file.display())))?;
        for engine in Self::built_in().0 {
            if engines.iter().all(|own| own.name != engine.name) {
                engines.push(engine);
            }
        }
        Ok(Self(engines))
    }

    /// Returns the engine with this name; `None` if it is unknown.
    pub fn get(&self, name: &str) -> Option<&Engine> {
        self.iter().find(|engine| engine.name == name)
    }

    /// Returns an iterator over all engines. Engines of a file come before built-in engines.
    pub fn iter(&self) -> impl Iterator<Item = &Engine> {
        self.0.iter()
    }
}

/// Mistake in the description of an engine.
type DescriptionError = Box<dyn Error + Send + Sync>;

/// Reason why an engines file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EnginesError(pub String);

/// Adaptor script for a solver that is not a program, or does not read DIMACS.
#[derive(Clone, Debug)]
pub(super) enum Script {
    /// Built-in script, with its name and its text.
    BuiltIn(&'static str, &'static str),
    /// Script in a file.
    File(PathBuf),
}

impl Script {
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::BuiltIn(name, _) => Some(name),
            Self::File(path) => path.file_name()?.to_str(),
        }
    }

    /// Returns the path of the script. A built-in script is first written to `folder`.
    pub(super) fn within(&self, folder: &Path) -> io::Result<PathBuf> {
        match self {
            Self::File(path) => Ok(path.clone()),
            Self::BuiltIn(name, text) => {
                // The scripts find each other by the same relative paths as in the source.
                let engines = folder.join("scripts").join("engines");
                fs::create_dir_all(&engines)?;
                let count_models = engines.with_file_name(COUNT_MODELS.0);
                fs::write(&count_models, COUNT_MODELS.1)?;
                if *name == COUNT_MODELS.0 {
                    return Ok(count_models);
                }
                fs::write(engines.join("adaptor.py"), ADAPTOR)?;
                let path = engines.join(name);
                fs::write(&path, text)?;
                Ok(path)
            }
        }
    }
}

/// Python module shared by the adaptors.
const ADAPTOR: &str = include_str!("../../embedded/adaptor.py");

/// Script that counts models, and fetches Python packages for the adaptors.
const COUNT_MODELS: (&str, &str) = ("count-models", include_str!("../../embedded/count-models"));

/// File names and contents of the built-in engines' scripts.
const SCRIPTS: [(&str, &str); 7] = [
    COUNT_MODELS,
    ("clingo", include_str!("../../embedded/clingo")),
    ("cp-sat", include_str!("../../embedded/cp-sat")),
    ("lkh", include_str!("../../embedded/lkh")),
    ("preprocessed", include_str!("../../embedded/preprocessed")),
    ("pysat", include_str!("../../embedded/pysat")),
    ("z3", include_str!("../../embedded/z3")),
];

fn no_script(path: &Path) -> DescriptionError {
    format!("the script \"{}\" does not exist", path.display()).into()
}

fn built_in_script(path: &str) -> Option<Script> {
    let name = Path::new(path).file_name();
    let found = SCRIPTS.iter().find(|(own, _)| name == Some((*own).as_ref()));
    found.map(|&(name, text)| Script::BuiltIn(name, text))
}

named! {
    /// Placeholder in a command: a word in braces, which is replaced by a value.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub(super) enum Hole: "word in braces" {
        Cnf => "cnf",
        Graph => "graph",
        Board => "board",
        Kind => "kind",
        Start => "start",
        Seed => "seed",
        Script => "script",
        Answer => "answer",
        Epsilon => "epsilon",
        Delta => "delta",
    }
}

/// Command of an engine: a list of words. A word is a list of texts, each with the placeholder behind it.
#[derive(Clone, Debug)]
pub(super) struct Line(Vec<Vec<(String, Option<Hole>)>>);

impl Line {
    fn new(text: &str) -> Result<Self, DescriptionError> {
        let words = shlex::split(text).ok_or("a quotation mark is not closed")?;
        if words.is_empty() {
            return Err("the command is empty".into());
        }
        let words = words.iter().map(|word| parts(word)).collect::<Result<_, _>>()?;
        Ok(Self(words))
    }

    fn holes(&self) -> impl Iterator<Item = Hole> {
        self.0.iter().flatten().filter_map(|&(_, hole)| hole)
    }

    pub(super) fn has(&self, hole: Hole) -> bool {
        self.holes().any(|own| own == hole)
    }

    /// Returns the words of the command, at least one, with placeholders replaced by the values that `fill` returns.
    pub(super) fn filled(&self, fill: &dyn Fn(Hole) -> OsString) -> Vec<OsString> {
        let words = self.0.iter().map(|parts| {
            let mut word = OsString::new();
            for (text, hole) in parts {
                word.push(text);
                word.extend(hole.map(fill));
            }
            word
        });
        words.collect()
    }
}

/// Splits a word into texts, each with the placeholder behind it.
fn parts(word: &str) -> Result<Vec<(String, Option<Hole>)>, DescriptionError> {
    let mut parts = Vec::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| format!("a brace in \"{word}\" is not closed"))?;
        parts.push((before.to_owned(), Some(name.parse()?)));
        rest = after;
    }
    parts.push((rest.to_owned(), None));
    Ok(parts)
}

/// Contents of an engines file, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    engine: Vec<WrittenEngine>,
}

/// Description of an engine, before it is checked. `experiments/engines.toml` explains the fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenEngine {
    name: String,
    title: Option<String>,
    #[serde(default)]
    about: String,
    answers: Option<String>,
    input: Option<String>,
    command: String,
    package: Option<String>,
    script: Option<String>,
    version: Option<String>,
    set_up: Option<String>,
    kinds: Option<Vec<String>>,
    proves: Option<bool>,
    directed: Option<bool>,
    needs: Option<String>,
    install: Option<String>,
}

/// Parses the descriptions of engines in a text. The function `script` finds a script by its path.
fn described(
    text: &str,
    script: impl Fn(&str) -> Result<Script, DescriptionError>,
) -> Result<Vec<Engine>, DescriptionError> {
    let written: Written = config::read(text)?;
    let mut engines: Vec<Engine> = Vec::new();
    for engine in written.engine {
        let name = engine.name.clone();
        if engines.iter().any(|other| other.name == name) {
            return Err(format!("the engine \"{name}\" is described twice; remove one description").into());
        }
        engines.push(engine.checked(&script).map_err(|why| format!("the engine \"{name}\": {why}"))?);
    }
    Ok(engines)
}

/// Returns the kind of input that the first input placeholder in a command denotes.
fn input_of(command: &str) -> Option<Input> {
    let named = |input: Input| Some((command.find(&format!("{{{input}}}"))?, input));
    Input::ALL.iter().filter_map(|&input| named(input)).min_by_key(|&(at, _)| at).map(|(_, input)| input)
}

impl WrittenEngine {
    fn checked(self, script: impl Fn(&str) -> Result<Script, DescriptionError>) -> Result<Engine, DescriptionError> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || !self.name.chars().all(allowed) {
            return Err("the name must consist of lower-case letters, digits and dashes".into());
        }
        let input = match &self.input {
            Some(input) => input.parse()?,
            None => input_of(&self.command)
                .ok_or("the command has no input; write {cnf}, {graph} or {board} where the file name belongs")?,
        };
        let line = |field: &str, text: &str, holes: &[Hole]| -> Result<_, DescriptionError> {
            let line = Line::new(text).map_err(|why| format!("key \"{field}\": {why}"))?;
            let wrong = |hole: &Hole| !holes.contains(hole) || (*hole == Hole::Script && self.script.is_none());
            let found = line.holes().find(wrong);
            match found {
                Some(hole) => Err(format!("{{{hole}}} cannot be used in the key \"{field}\"").into()),
                None => Ok(line),
            }
        };
        let answers = self.answers.as_deref().map_or(Ok(Answers::Solutions), str::parse)?;
        // The placeholder of an input has its name.
        let question: Hole = input.as_str().parse()?;
        let others = match (answers, input) {
            (Answers::Counts, Input::Cnf) => [Hole::Epsilon, Hole::Delta].as_slice(),
            (Answers::Counts, other) => {
                return Err(format!("an engine that counts takes {{cnf}}, not {{{other}}}").into());
            }
            (Answers::Solutions, Input::Cnf) => &[Hole::Answer],
            (Answers::Solutions, _) => &[Hole::Answer, Hole::Kind, Hole::Start],
        };
        let holes = [&[question, Hole::Seed, Hole::Script], others].concat();
        let command = line("command", &self.command, &holes)?;
        if !command.has(question) {
            return Err(format!("the command must contain {{{input}}}, the declared input").into());
        }
        let kinds = match &self.kinds {
            Some(names) => names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            None => TourKind::ALL.to_vec(),
        };
        let needs = self.needs.map(|text| {
            let version = Version::of(&text).filter(|version| version.to_string() == text);
            version.ok_or_else(|| {
                format!("key \"needs\": \"{text}\" is not a version; write numbers with dots between them, such as 2.2")
            })
        });
        let auxiliary =
            |field: &str, text: Option<&str>| text.map(|text| line(field, text, &[Hole::Script])).transpose();
        Ok(Engine {
            package: auxiliary("package", self.package.as_deref())?,
            needs: needs.transpose()?,
            version: auxiliary("version", self.version.as_deref())?,
            set_up: auxiliary("set-up", self.set_up.as_deref())?,
            script: self.script.as_deref().map(script).transpose()?,
            kinds,
            proves: self.proves.unwrap_or(true),
            directed: self.directed.unwrap_or(false),
            title: self.title.unwrap_or_else(|| self.name.clone()),
            answers,
            name: self.name,
            about: self.about,
            input,
            command,
            install: (self.install)
                .unwrap_or_else(|| "add it to the PATH, or write its full path in the command".to_owned()),
        })
    }
}
