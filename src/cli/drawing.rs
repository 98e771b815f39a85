//! Pictures of tours: the options that all commands with tours share, and the files to draw into. The extension of a
//! file name selects its format.

use std::borrow::Borrow;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use hamcnf::count::frontier::Bytes;
use hamcnf::endpoints::Endpoints;
use hamcnf::render::file::{Heading, PlacementRecord, TourFile};
use hamcnf::render::{Colours, Scene, Style, pdf, png, sheet, svg, terminal, tsplib};
use hamcnf::{Board, Instance, Piece, Placement, Puzzle, Queens, Ranks, Tour};
use terminal_size::{Width, terminal_size_of};

use super::complain;
use super::output;
use super::progress::Progress;
use super::verbosity::note;

/// Options that draw a tour into files.
#[derive(clap::Args)]
pub(crate) struct Drawing {
    /// Draw the tour into a file: .svg, .png, .pdf, .txt, .json or .tour (TSPLIB); may be repeated
    #[arg(long, alias = "picture", value_name = "FILE", value_parser = Canvas::named)]
    render: Vec<Canvas>,
    #[command(flatten)]
    look: Look,
}

impl Drawing {
    /// Rejects impossible files and options before the search begins, for tours or for placements of queens.
    pub(crate) fn check(&self, queens: Option<&Queens>) -> anyhow::Result<()> {
        if let Some(canvas) = self.render.iter().find(|canvas| canvas.format == Format::Tour && queens.is_some()) {
            bail!("{}: a .tour file is for tours, not for placements of queens", canvas.path.display());
        }
        self.look.check(&self.render, "--render")?;
        self.render.iter().try_for_each(Canvas::writable)
    }

    /// True if the tour is drawn into a file.
    pub(crate) fn is_given(&self) -> bool {
        !self.render.is_empty()
    }

    /// Warns about files that will be large, before the search for many tours begins.
    pub(crate) fn announce(&self, instance: &Instance, tours: u64) {
        let one = svg::bytes_of_tour(instance.n().into(), self.look.style());
        announce(&self.render, one.saturating_mul(tours));
    }

    /// Draws the placements on one sheet into each file.
    pub(crate) fn write_placements(&self, queens: &Queens, placements: &[Placement]) -> anyhow::Result<()> {
        if placements.is_empty() {
            if self.is_given() {
                complain(&format!("{queens}: there is no placement to draw"));
            }
            return Ok(());
        }
        let one = svg::bytes_of_placement(u64::from(queens.n()).pow(2));
        announce(&self.render, one.saturating_mul(placements.len() as u64));
        self.draw(placements.iter().map(|placement| Subject::Queens(queens, placement)))
    }

    /// Draws this tour into all files.
    pub(crate) fn write(&self, instance: &Instance, tour: &Tour) -> anyhow::Result<()> {
        self.write_sheet(&[(instance, tour)])
    }

    /// Draws all of these tours into each file.
    pub(crate) fn write_sheet(&self, tours: &[(impl Borrow<Instance>, impl Borrow<Tour>)]) -> anyhow::Result<()> {
        let subjects = tours.iter().map(|(instance, tour)| Subject::Tour(instance.borrow(), tour.borrow()));
        self.draw(subjects)
    }

    fn draw<'a>(&self, subjects: impl Iterator<Item = Subject<'a>>) -> anyhow::Result<()> {
        let drawn: Vec<_> = subjects.map(|subject| Drawn { caption: None, subject }).collect();
        self.render.iter().try_for_each(|canvas| draw(canvas, &drawn, None, self.look.style()))
    }
}

/// Style of pictures.
#[derive(clap::Args)]
pub(crate) struct Look {
    /// Number the squares in pictures
    #[arg(long)]
    numbers: bool,
    /// Draw the tour in one colour instead of colours that change along it
    #[arg(long)]
    plain: bool,
    /// Animate SVG pictures, move by move
    #[arg(long)]
    animate: bool,
}

impl Look {
    /// Rejects style options that none of these files uses. `option` is the option that names the files.
    pub(crate) fn check(&self, canvases: &[Canvas], option: &str) -> anyhow::Result<()> {
        let any = |formats: &[Format]| canvases.iter().any(|c| formats.contains(&c.format));
        for (name, given, formats, endings) in [
            ("--numbers", self.numbers, &[Format::Svg, Format::Png, Format::Pdf][..], ".svg, .png or .pdf"),
            ("--plain", self.plain, &[Format::Svg, Format::Png, Format::Pdf], ".svg, .png or .pdf"),
            ("--animate", self.animate, &[Format::Svg], ".svg"),
        ] {
            if given && !any(formats) {
                bail!("{name} needs a picture: add {option} with a file name that ends in {endings}");
            }
        }
        Ok(())
    }

    pub(crate) fn style(&self) -> Style {
        Style {
            numbers: self.numbers,
            colours: if self.plain { Colours::One } else { Colours::Along },
            animate: self.animate,
        }
    }
}

/// Size in bytes above which an SVG file is announced.
const LARGE: u64 = 50_000_000;

/// Warns about large files. `svg_bytes` is their estimated size as SVG.
pub(crate) fn announce(canvases: &[Canvas], svg_bytes: u64) {
    if svg_bytes <= LARGE {
        return;
    }
    for canvas in canvases.iter().filter(|c| c.format == Format::Svg) {
        note(&format!(
            "{}: the SVG file will take about {}; a .png file is smaller",
            canvas.path.display(),
            Bytes(svg_bytes)
        ));
    }
}

/// Picture file with its format.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    path: PathBuf,
    format: Format,
}

/// Error for a file name that selects no format, with the possible extensions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not the name of a picture: use a name that ends in {1}")]
pub(crate) struct PictureNameError(String, &'static str);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
    Pdf,
    Text,
    Json,
    /// Tour file in TSPLIB format; only for tours, not for queens.
    Tour,
}

/// Formats with their extensions. The first three are for all subjects.
const FORMATS: [(&str, Format); 6] = [
    ("svg", Format::Svg),
    ("png", Format::Png),
    ("pdf", Format::Pdf),
    ("txt", Format::Text),
    ("json", Format::Json),
    ("tour", Format::Tour),
];

impl Canvas {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Rejects a file that cannot be written.
    pub(crate) fn writable(&self) -> anyhow::Result<()> {
        output::writable(&self.path)
    }

    /// Returns the picture file with this name, for puzzles. The extension selects the format.
    pub(crate) fn of_puzzle(name: &str) -> Result<Self, PictureNameError> {
        Self::among(&FORMATS[..3], name, ".svg, .png or .pdf")
    }

    /// Returns the picture file with this name, as a target for drawings of tours. The extension selects the format.
    pub(crate) fn named(name: &str) -> Result<Self, PictureNameError> {
        Self::among(&FORMATS, name, ".svg, .png, .pdf, .txt, .json or .tour")
    }

    fn among(formats: &[(&str, Format)], name: &str, endings: &'static str) -> Result<Self, PictureNameError> {
        let path = PathBuf::from(name);
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match formats.iter().find(|(known, _)| ending.as_deref() == Some(known)) {
            Some(&(_, format)) => Ok(Self { path, format }),
            None => Err(PictureNameError(name.to_owned(), endings)),
        }
    }
}

/// Subject to draw, with its caption.
pub(crate) struct Drawn<'a> {
    pub(crate) caption: Option<String>,
    pub(crate) subject: Subject<'a>,
}

impl Drawn<'_> {
    fn scene(&self, style: Style) -> Scene {
        let scene = match self.subject {
            Subject::Tour(instance, tour) => Scene::tour(instance, tour, style),
            Subject::Queens(queens, placement) => Scene::placement(queens, placement),
            Subject::Puzzle(puzzle, solution) => Scene::puzzle(puzzle, solution),
        };
        match &self.caption {
            Some(caption) => scene.captioned(caption),
            None => scene,
        }
    }
}

/// Subject of a picture.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    Tour(&'a Instance, &'a Tour),
    Queens(&'a Queens, &'a Placement),
    /// Puzzle, with its solution or without.
    Puzzle(&'a Puzzle, Option<&'a Tour>),
}

impl Subject<'_> {
    fn text(self) -> String {
        match self {
            // The file has the same text as the terminal. On boards, the heading names the piece, which is needed to
            // read the file.
            Self::Tour(instance, tour) => {
                let heading = instance.squares().map(|_| checked(instance) + "\n\n");
                heading.unwrap_or_default() + &terminal::tour(instance, tour)
            }
            Self::Queens(queens, placement) => terminal::placement(queens, placement),
            Self::Puzzle(puzzle, _) => puzzle.to_string(),
        }
    }

    /// Returns the text of a tour in TSPLIB's format; `None` for queens.
    fn tsplib(self) -> Option<String> {
        match self {
            Self::Tour(instance, tour) => Some(tsplib::written(instance, tour)),
            Self::Queens(..) | Self::Puzzle(..) => None,
        }
    }

    fn json(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Tour(instance, tour) => output::json(out, &TourFile::new(instance, tour)),
            Self::Queens(queens, placement) => output::json(out, &PlacementRecord::new(queens, placement)),
            Self::Puzzle(puzzle, _) => output::json(out, &puzzle.to_string()),
        }
    }
}

/// Draws all subjects into one file: one sheet of pictures, text boards one below the other, or one JSON object per
/// line.
pub(crate) fn draw(canvas: &Canvas, drawn: &[Drawn<'_>], columns: Option<usize>, style: Style) -> anyhow::Result<()> {
    let _progress = Progress::new(format_args!("drawing {}", canvas.path.display()));
    let scene = || sheet::scene(drawn.iter().map(|drawn| drawn.scene(style)).collect(), columns);
    let bytes = match canvas.format {
        Format::Svg => svg::document(&scene()).into_bytes(),
        Format::Png => png::file(&scene())?,
        Format::Pdf => pdf::file(&scene()),
        Format::Text => {
            let mut text = String::new();
            for (k, one) in drawn.iter().enumerate() {
                let gap = if k > 0 { "\n" } else { "" };
                let board = one.subject.text();
                write!(text, "{gap}{}", anstream::adapter::strip_str(&board))?;
            }
            text.into_bytes()
        }
        Format::Json => {
            let mut lines = Vec::new();
            for one in drawn {
                one.subject.json(&mut lines)?;
            }
            lines
        }
        Format::Tour => {
            let texts = drawn.iter().filter_map(|one| one.subject.tsplib());
            texts.collect::<String>().into_bytes()
        }
    };
    output::to(Some(&canvas.path), |out| Ok(out.write_all(&bytes)?))
}

/// Returns the sentence to print above a checked tour. `what` describes the instance.
pub(crate) fn checked(what: &dyn fmt::Display) -> String {
    format!("{what}: a tour, checked move by move")
}

/// Writes the heading of a list of squares, which names the board, the piece and the constraints. The heading is omitted
/// for knights on boards with a1 at the top left, which readers assume by default, if there are no constraints.
pub(crate) fn heading(instance: &Instance, ends: Endpoints, out: &mut dyn Write) -> io::Result<()> {
    let knight = |board: &Board| (board.piece(), board.ranks()) == (Piece::KNIGHT, Ranks::Down);
    if instance.board().is_some_and(knight) { Ok(()) } else { whole_heading(instance, ends, out) }
}

/// Writes the heading of tours on a board, with their ends and constraints. Tours of other graphs have no heading.
pub(crate) fn whole_heading(instance: &Instance, ends: Endpoints, out: &mut dyn Write) -> io::Result<()> {
    match Heading::of_tours(instance, ends) {
        Some(heading) => writeln!(out, "# {heading}"),
        None => Ok(()),
    }
}

/// Returns a drawing without colours, unless it goes to standard output and standard output shows colours.
pub(crate) fn coloured(drawing: String, output: Option<&Path>) -> String {
    let is_shown = output.is_none_or(|file| file.as_os_str() == "-")
        && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    if is_shown { drawing } else { anstream::adapter::strip_str(&drawing).to_string() }
}

/// Returns the text of a tour for standard output, fitted to the width of the terminal.
pub(crate) fn in_terminal(instance: &Instance, tour: &Tour) -> String {
    terminal::tour_within(instance, tour, columns())
}

/// Returns the text of a placement for standard output, fitted to the width of the terminal.
pub(crate) fn queens_in_terminal(queens: &Queens, placement: &Placement) -> String {
    terminal::placement_within(queens, placement, columns())
}

fn columns() -> usize {
    terminal_size_of(io::stdout()).map_or(usize::MAX, |(Width(w), _)| w.into())
}
