//! Helpers that run the program as its users do, and check what it prints.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

/// Returns a command that runs the program with these arguments, separated and quoted as in a shell.
pub(crate) fn hamcnf(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamcnf"));
    command.args(shlex::split(args).unwrap()).env_remove("CLICOLOR_FORCE");
    command
}

pub(crate) fn run(args: &str) -> Ended {
    hamcnf(args).ended()
}

pub(crate) fn run_in(folder: &Path, args: &str) -> Ended {
    hamcnf(args).current_dir(folder).ended()
}

/// Runs the program with this text on standard input.
pub(crate) fn feed(args: &str, input: impl AsRef<[u8]>) -> Ended {
    hamcnf(args).fed(input)
}

pub(crate) trait Run {
    /// Runs the command to its end.
    fn ended(&mut self) -> Ended;
    /// Runs the command with this text on standard input.
    fn fed(&mut self, input: impl AsRef<[u8]>) -> Ended;
    /// Starts the command with pipes for its output.
    fn begun(&mut self) -> Child;
}

impl Run for Command {
    fn ended(&mut self) -> Ended {
        let args: Vec<_> = self.get_args().map(OsStr::to_string_lossy).collect();
        Ended { asked: args.join(" "), output: self.output().unwrap() }
    }

    fn fed(&mut self, input: impl AsRef<[u8]>) -> Ended {
        let mut child = self.stdin(Stdio::piped()).begun();
        // The write fails if the program refuses its arguments without reading its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        child.ended()
    }

    fn begun(&mut self) -> Child {
        self.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

pub(crate) trait Started {
    /// Waits for the end of the process.
    fn ended(self) -> Ended;
    /// Sends a signal to this process only, not to its children.
    fn signal(&self, signal: Signal);
    fn killed(self);
}

impl Started for Child {
    fn ended(self) -> Ended {
        Ended { asked: format!("process {}", self.id()), output: self.wait_with_output().unwrap() }
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id().try_into().unwrap()), signal).unwrap();
    }

    fn killed(mut self) {
        self.kill().unwrap();
        self.wait().unwrap();
    }
}

/// Exit code and output of a run. A check that fails shows all of them.
#[derive(Debug)]
pub(crate) struct Ended {
    asked: String,
    output: Output,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self { asked: String::new(), output }
    }
}

impl Ended {
    /// Names the run in the messages of checks.
    pub(crate) fn called(self, asked: String) -> Self {
        Self { asked, ..self }
    }

    #[track_caller]
    pub(crate) fn check(&self, holds: bool, expected: &str) -> &Self {
        let Self { asked, output } = self;
        assert!(holds, "{asked}: expected {expected}\n{}\n{}{}", output.status, self.out(), self.err());
        self
    }

    pub(crate) fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.output.stdout
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).unwrap()
    }

    /// Returns standard output and standard error.
    pub(crate) fn all(&self) -> String {
        self.out() + &self.err()
    }

    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        self.check(self.code() == Some(code), &format!("exit code {code}"))
    }

    /// Checks the exit code, and that standard output contains a text.
    #[track_caller]
    pub(crate) fn says(&self, code: i32, part: impl AsRef<str>) -> &Self {
        self.exits(code).and(part)
    }

    /// Checks that standard output contains a text.
    #[track_caller]
    pub(crate) fn and(&self, part: impl AsRef<str>) -> &Self {
        self.check(self.out().contains(part.as_ref()), part.as_ref())
    }

    /// Checks the exit code and the beginning of standard output.
    #[track_caller]
    pub(crate) fn begins(&self, code: i32, part: impl AsRef<str>) -> &Self {
        self.exits(code).check(self.out().starts_with(part.as_ref()), part.as_ref())
    }

    /// Checks the exit code and the end of standard output.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, part: impl AsRef<str>) -> &Self {
        self.exits(code).check(self.out().ends_with(part.as_ref()), part.as_ref())
    }

    /// Checks that standard output does not contain a text.
    #[track_caller]
    pub(crate) fn lacks(&self, part: impl AsRef<str>) -> &Self {
        self.check(!self.out().contains(part.as_ref()), &format!("no {}", part.as_ref()))
    }

    /// Checks how often standard output contains a text.
    #[track_caller]
    pub(crate) fn times(&self, number: usize, part: impl AsRef<str>) -> &Self {
        self.check(self.out().matches(part.as_ref()).count() == number, &format!("{number} times {}", part.as_ref()))
    }

    /// Checks that standard error contains a text.
    #[track_caller]
    pub(crate) fn notes(&self, part: impl AsRef<str>) -> &Self {
        self.check(self.err().contains(part.as_ref()), part.as_ref())
    }

    /// Checks the whole of standard error.
    #[track_caller]
    pub(crate) fn notes_only(&self, text: impl AsRef<str>) -> &Self {
        assert_eq!(self.err(), text.as_ref(), "{}", self.asked);
        self
    }

    /// Checks the exit code and the whole of standard output.
    #[track_caller]
    pub(crate) fn prints(&self, code: i32, text: impl AsRef<str>) -> &Self {
        assert_eq!(self.exits(code).out(), text.as_ref(), "{}", self.asked);
        self
    }

    /// Returns the text on standard output, after checking the exit code.
    #[track_caller]
    pub(crate) fn text(&self, code: i32) -> String {
        self.exits(code).out()
    }

    /// Returns the JSON object on standard output, after checking the exit code.
    #[track_caller]
    pub(crate) fn json(&self, code: i32) -> Value {
        self.exits(code).parsed()
    }

    /// Checks the exit code, and that the JSON object on standard output has these fields. `null` stands for no field, too.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "the fields are always a value of `json!`")]
    pub(crate) fn has(&self, code: i32, fields: Value) -> &Self {
        fn has(value: &Value, expected: &Value) -> bool {
            let object = expected.as_object();
            object.map_or(value == expected, |fields| fields.iter().all(|(name, field)| has(&value[name], field)))
        }
        self.check(has(&self.json(code), &fields), &fields.to_string())
    }

    #[track_caller]
    pub(crate) fn parsed(&self) -> Value {
        serde_json::from_str(&self.out()).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the only line on standard error, after checking that standard output is empty and the exit code is 2.
    #[track_caller]
    pub(crate) fn refused(&self) -> String {
        self.prints(2, "").check(self.err().lines().count() == 1, "one line");
        self.err().trim_end().strip_prefix("hamcnf: ").unwrap().to_owned()
    }

    /// Checks that the command is refused with one line that begins with a text.
    #[track_caller]
    pub(crate) fn refused_with(&self, begin: impl AsRef<str>) -> &Self {
        self.check(self.refused().starts_with(begin.as_ref()), begin.as_ref())
    }

    /// Checks that the command is refused with one line that contains a text.
    #[track_caller]
    pub(crate) fn refuses(&self, part: impl AsRef<str>) -> &Self {
        self.check(self.refused().contains(part.as_ref()), part.as_ref())
    }
}

/// Folders for a test: the working directory of commands, the only programs that `hamcnf` finds, temporary files, and a
/// cache.
pub(crate) struct Place {
    folder: TempDir,
    dir: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::named("work")
    }

    /// Returns folders whose working directory has this name.
    pub(crate) fn named(work: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in [work, "bin", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let dir = folder.path().join(work);
        Self { folder, dir }
    }

    /// Returns folders with a file in the working directory.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let place = Self::new();
        place.write(name, bytes);
        place
    }

    /// Adds a program. Its script can use the folder beside the working directory as `$here`, and the programs of this
    /// machine.
    pub(crate) fn program(&self, name: &str, script: &str) -> &Self {
        let (here, path) = (self.folder.path().display(), env::var("PATH").unwrap());
        fs::write(self.beside("script"), format!("#!/bin/sh\nhere='{here}'\nPATH='{path}'\n{script}\n")).unwrap();
        // Another process writes the program: the system does not start a file that this process still has open.
        let mut copy = Command::new("/bin/sh");
        copy.args(["-c", "cat script > \"$0\" && chmod +x \"$0\""]).arg(self.beside("bin").join(name));
        assert!(copy.current_dir(self.folder.path()).status().unwrap().success());
        self
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.join(name)
    }

    /// Returns the path of a file beside the working directory.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file in the working directory, and returns its name.
    pub(crate) fn write<N: AsRef<str>>(&self, name: N, bytes: impl AsRef<[u8]>) -> N {
        let path = self.path(name.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        name
    }

    #[track_caller]
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn remove(&self, name: impl AsRef<Path>) {
        fs::remove_file(self.path(name)).unwrap();
    }

    pub(crate) fn has(&self, name: impl AsRef<Path>) -> bool {
        self.path(name).exists()
    }

    /// Returns the names of the files in a folder of the working directory, in order; none if there is no such folder.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        names(&self.path(folder))
    }

    /// Returns a command that finds only the programs in `bin`.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, folder) in [("PATH", "bin"), ("TMPDIR", "tmp"), ("HAMCNF_CACHE", "cache")] {
            command.env(name, self.beside(folder));
        }
        command.env_remove("CLICOLOR_FORCE").current_dir(&self.dir).stdin(Stdio::null());
        command
    }

    pub(crate) fn hamcnf(&self, args: &str) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_hamcnf"));
        command.args(shlex::split(args).unwrap());
        command
    }

    pub(crate) fn run(&self, args: &str) -> Ended {
        self.hamcnf(args).ended()
    }

    /// Returns a command for `hamcnf` with arguments, or for a line of a shell, which may call `hamcnf` and the programs
    /// of this machine.
    pub(crate) fn line(&self, line: &str) -> Command {
        let is_shell = line.contains(['|', '&', ';', '<', '>', '$']);
        if let Some(args) = line.strip_prefix("hamcnf").filter(|_| !is_shell) {
            return self.hamcnf(args);
        }
        let program = Path::new(env!("CARGO_BIN_EXE_hamcnf")).parent().unwrap();
        let path = format!("{}:{}", program.display(), env::var("PATH").unwrap());
        let mut command = self.command("/bin/sh");
        command.args(["-c", line]).env("PATH", path).env("ROOT", env!("CARGO_MANIFEST_DIR"));
        command
    }

    /// Runs the program after a line of a shell, such as `ulimit -v 300000`.
    pub(crate) fn run_after(&self, line: &str, args: &str) -> Ended {
        let mut command = self.command("/bin/sh");
        command.args(["-c", &format!("{line}; exec \"$0\" {args}"), env!("CARGO_BIN_EXE_hamcnf")]).ended()
    }
}

/// Returns folders with an external solver that never ends and needs no processor. The file `engines.toml` describes it.
pub(crate) fn asleep() -> Place {
    let place = Place::with("engines.toml", "[[engine]]\nname = \"sleeper\"\ncommand = \"sleeper {cnf}\"\n");
    place.program("sleeper", "exec sleep 300");
    place
}

/// Arguments of a command that runs the external solver of [`asleep`] until its time limit.
pub(crate) const ASLEEP: &str = "solve 6x6 --engines engines.toml --method sleeper:binary --time-limit";

/// Returns the names of a folder's entries, in order; none if there is no such folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs `work` on all items, on four threads.
pub(crate) fn each<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
                    work(one);
                }
            });
        }
    });
}
