//! Tours in files: JSON, numbered boards, lists of squares, TSPLIB's format, and lists of a graph's vertices. Parsing a
//! written tour must return the same tour.

use hamcnf::render::file::{self, Claim, Hints, NamedGraph, TourFile};
use hamcnf::render::{terminal, tsplib};
use hamcnf::{Graph, Numbering, Piece, Tour, VertexNames, VertexWords};

use super::is_large;

/// Fuzzes the parsers of tours with arbitrary text.
pub fn tours(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for piece in [None, Piece::named("wazir")] {
        match file::read(&text, piece) {
            Ok(claims) => claims.iter().for_each(is_read_again),
            Err(error) => drop(error.to_string()),
        }
    }
    // A wheel graph: a rim of five vertices, and the hub 5.
    let rim = (0..5).map(|k| (k, (k + 1) % 5));
    let edges = rim.chain((0..5).map(|k| (k, 5)));
    let wheel = Graph::from_edges(6, edges).unwrap();
    let words = ["a", "b", "c", "3", "x1", "hub"].map(str::to_owned);
    let words = VertexWords::new(words.to_vec()).unwrap();
    for names in [Numbering::FromZero.into(), Numbering::FromOne.into(), VertexNames::Words(words)] {
        let (name, graph) = ("wheel".to_owned(), wheel.clone().into());
        match file::read_with(&text, &Hints { graph: Some(&NamedGraph { name, graph, names }), ..Hints::default() }) {
            Ok(claims) => claims.iter().for_each(is_read_again),
            Err(error) => drop(error.to_string()),
        }
    }
}

fn is_read_again(claim: &Claim) {
    let instance = claim.instance();
    let tour = match claim.check() {
        Ok(tour) => tour,
        Err(error) => return drop(error.to_string()),
    };
    let json = serde_json::to_string(&TourFile::with_graph(instance, &tour)).unwrap();
    is(&json, &tour);
    // A drawn board of one square has no bars, so the number in it looks like a list of names.
    if instance.squares().is_some() && !is_large(instance.name()) {
        let drawn = terminal::tour(instance, &tour);
        let text = format!("{instance}\n{}", anstream::adapter::strip_str(&drawn));
        is(&text, &tour);
        is(&tsplib::written(instance, &tour), &tour);
    }
}

fn is(text: &str, tour: &Tour) {
    let claims = file::read(text, None).unwrap();
    let [claim] = claims.as_slice() else {
        panic!("{} tours: {text}", claims.len());
    };
    assert_eq!(claim.check().as_ref(), Ok(tour), "{text}");
}
