//! Tours that a report shows. The file `NAME.tours.jsonl` beside the rows contains one tour per question; `hamcnf show`
//! can read it.

use std::collections::HashSet;
use std::fs;

use super::data::Data;
use crate::harness::tours::Of;
use hamcnf_render::file::read;
use hamcnf_render::{Colours, Scene, Style};

/// Maximum total number of vertices in the tours shown. Each vertex adds about 300 bytes to the report.
const ROOM: usize = 1800;

/// Tour that a report shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    pub question: String,
    /// Method that found the tour, in words.
    pub method: String,
    pub scene: Scene,
}

/// Returns tours from the files that are stored next to the files of rows, with at most 1800 vertices in total. Each
/// tour is checked again; invalid tours are skipped.
pub fn shown(data: &Data) -> Vec<Shown> {
    let mut shown = Vec::new();
    let (mut seen, mut room) = (HashSet::new(), ROOM);
    for source in &data.sources {
        let beside = source.file.with_file_name(format!("{}.tours.jsonl", source.name));
        let Ok(text) = fs::read_to_string(beside) else { continue };
        for line in text.lines() {
            let (Ok(of), Ok(claims)) = (serde_json::from_str::<Of>(line), read(line, None)) else { continue };
            let [claim] = claims.as_slice() else { continue };
            let n = claim.instance().n() as usize;
            let Ok(tour) = claim.check() else { continue };
            if n > room || !seen.insert(of.question.clone()) {
                continue;
            }
            room -= n;
            let style = Style { colours: Colours::Along, ..Style::default() };
            shown.push(Shown {
                question: of.question,
                method: of.method,
                scene: Scene::tour(claim.instance(), &tour, style),
            });
        }
    }
    shown
}
