//! Tours beside rows: `NAME.tours.jsonl` has one of each question of an experiment, as `hamcnf show` reads it too.

use std::collections::HashSet;
use std::fs;

use super::data::Data;
use crate::harness::tours::Of;
use hamcnf_render::file::read;
use hamcnf_render::{Colours, Picture, Scene, Style};

/// Vertices of all tours that are shown: about 300 bytes each.
const ROOM: usize = 1800;

/// A tour as it is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// What it answers.
    pub question: String,
    /// What found it.
    pub method: String,
    /// It.
    pub scene: Scene,
}

/// The tours that stand beside the rows, as many as there is room for, each checked again. What is no tour is left out.
#[must_use]
pub fn shown(data: &Data) -> Vec<Shown> {
    let mut shown = Vec::new();
    let (mut seen, mut room) = (HashSet::new(), ROOM);
    for source in &data.sources {
        let beside = source
            .file
            .with_file_name(format!("{}.tours.jsonl", source.name));
        let Ok(text) = fs::read_to_string(beside) else {
            continue;
        };
        for line in text.lines() {
            let (Ok(of), Ok(claims)) = (serde_json::from_str::<Of>(line), read(line, None)) else {
                continue;
            };
            let [claim] = claims.as_slice() else { continue };
            let n = claim.instance().n() as usize;
            let Ok(tour) = claim.check() else { continue };
            if n > room || !seen.insert(of.question.clone()) {
                continue;
            }
            room -= n;
            let style = Style {
                colours: Colours::Along,
                ..Style::default()
            };
            shown.push(Shown {
                question: of.question,
                method: of.method,
                scene: Picture::tour(claim.instance(), &tour).scene(style),
            });
        }
    }
    shown
}
