//! Pictures of tours: the options that every command with a tour to show shares, and the files they are
//! drawn into. What a file becomes is in its ending.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use hamcnf::render::file::TourRecord;
use hamcnf::render::{Colours, Picture, Style, png, sheet, svg, terminal};
use hamcnf::{Instance, Tour};
use terminal_size::{Width, terminal_size_of};

use super::output;

/// Draw the tour that is found.
#[derive(clap::Args)]
pub(crate) struct Drawing {
    /// Draw the tour into a file, if there is one: .svg, .png, .txt or .json; may be repeated
    #[arg(long, value_name = "FILE", value_parser = Canvas::named)]
    render: Vec<Canvas>,
    #[command(flatten)]
    look: Look,
}

impl Drawing {
    /// Refuses what cannot be drawn, before the tour is looked for.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.look.check(&self.render, "--render")
    }

    /// Writes every file that was asked for.
    pub(crate) fn write(&self, instance: &Instance, tour: &Tour) -> anyhow::Result<()> {
        self.write_sheet(&[(instance, tour)])
    }

    /// Writes every file that was asked for, with all of these tours on it.
    pub(crate) fn write_sheet(&self, tours: &[(&Instance, &Tour)]) -> anyhow::Result<()> {
        let drawn = tours.iter().map(|&(instance, tour)| Drawn {
            caption: None,
            instance,
            tour,
        });
        let drawn: Vec<_> = drawn.collect();
        let mut canvases = self.render.iter();
        canvases.try_for_each(|canvas| draw(canvas, &drawn, None, &self.look))
    }
}

/// How pictures look.
#[derive(clap::Args)]
pub(crate) struct Look {
    /// Number the squares in pictures
    #[arg(long)]
    numbers: bool,
    /// One colour in pictures, instead of colours along the tour
    #[arg(long)]
    plain: bool,
    /// Draw SVG move by move
    #[arg(long)]
    animate: bool,
}

impl Look {
    /// Refuses options that no file of these takes; `option` is what names files.
    pub(crate) fn check(&self, canvases: &[Canvas], option: &str) -> anyhow::Result<()> {
        let any = |formats: &[Format]| canvases.iter().any(|c| formats.contains(&c.format));
        for (name, given, formats, endings) in [
            (
                "--numbers",
                self.numbers,
                &[Format::Svg, Format::Png][..],
                ".svg or .png",
            ),
            (
                "--plain",
                self.plain,
                &[Format::Svg, Format::Png],
                ".svg or .png",
            ),
            ("--animate", self.animate, &[Format::Svg], ".svg"),
        ] {
            if given && !any(formats) {
                bail!(
                    "{name} is for pictures: it needs {option} with a file that ends in {endings}"
                );
            }
        }
        Ok(())
    }

    fn style(&self) -> Style {
        Style {
            numbers: self.numbers,
            colours: match self.plain {
                true => Colours::One,
                false => Colours::Along,
            },
            animate: self.animate,
        }
    }
}

/// A file to draw into.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
    Text,
    Json,
}

impl Canvas {
    /// The file with this name, whose ending says its format.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let path = PathBuf::from(name);
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let format = match ending.as_deref() {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            Some("txt") => Format::Text,
            Some("json") => Format::Json,
            _ => return Err("its name has to end in .svg, .png, .txt or .json".to_owned()),
        };
        Ok(Self { path, format })
    }
}

/// A tour with what is written above it.
pub(crate) struct Drawn<'a> {
    pub(crate) caption: Option<String>,
    pub(crate) instance: &'a Instance,
    pub(crate) tour: &'a Tour,
}

impl<'a> Drawn<'a> {
    fn picture(&self) -> Picture<'a> {
        let picture = Picture::tour(self.instance, self.tour);
        match &self.caption {
            Some(caption) => picture.captioned(caption),
            None => picture,
        }
    }
}

/// Draws these tours into one file: a sheet of pictures, boards one below the other, or JSON line by line.
pub(crate) fn draw(
    canvas: &Canvas,
    tours: &[Drawn<'_>],
    columns: Option<usize>,
    look: &Look,
) -> anyhow::Result<()> {
    let scene = || {
        let pictures: Vec<_> = tours.iter().map(Drawn::picture).collect();
        sheet::scene(&pictures, columns, look.style())
    };
    let bytes = match canvas.format {
        Format::Svg => svg::document(&scene()).into_bytes(),
        Format::Png => png::file(&scene())?,
        Format::Text => {
            let mut text = String::new();
            for (k, drawn) in tours.iter().enumerate() {
                let gap = if k > 0 { "\n" } else { "" };
                let board = terminal::tour(drawn.instance, drawn.tour);
                write!(text, "{gap}{}", anstream::adapter::strip_str(&board))?;
            }
            text.into_bytes()
        }
        Format::Json => {
            let mut lines = Vec::new();
            for drawn in tours {
                output::json(&mut lines, &TourRecord::new(drawn.instance, drawn.tour))?;
            }
            lines
        }
    };
    whole(&canvas.path, &bytes)
}

fn whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    output::to(Some(path), |out: &mut dyn Write| Ok(out.write_all(bytes)?))
}

/// The tour for standard output, as wide as that is where it is a terminal.
pub(crate) fn in_terminal(instance: &Instance, tour: &Tour) -> String {
    let columns = terminal_size_of(io::stdout()).map_or(usize::MAX, |(Width(w), _)| w.into());
    terminal::tour_within(instance, tour, columns)
}
