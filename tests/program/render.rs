//! Pictures of tours, and tours in files. Nothing in a picture is cut off or covered, the contents of files agree with
//! their names, and every tour passes the same check.

use std::fs;
use std::path::Path;

use crate::warnsdorff::open_tour;
use hamcnf::render::scene::{Mark, Point, Shape, Timing};
use hamcnf::render::{Colours, Scene, Style, file, png, sheet, svg, terminal};
use hamcnf::{Graph, Instance, Leaper, Piece, Placement, Queens, Tour, TourKind, Vertex};
use tiny_skia::Pixmap;

use crate::command::*;

fn knight(rows: u64, cols: u64) -> (Instance, Tour) {
    open_tour(rows, cols, Leaper::KNIGHT)
}

/// Returns a closed tour of 5x6.
fn closed() -> (Instance, Tour) {
    let squares = "a1 b3 a5 c4 b2 a4 c5 e4 f2 d1 c3 b5 a3 b1 d2 f1 e3 f5 d4 e2 f4 d5 b4 a2 c1 d3 e5 f3 e1 c2";
    let claim = file::read(squares, None).unwrap().remove(0);
    let tour = claim.check().unwrap();
    assert_eq!(tour.kind(), TourKind::Closed);
    (claim.instance().clone(), tour)
}

/// Returns the Petersen graph, whose vertices are named `1` to `10`, with a tour.
fn petersen() -> (Instance, Tour) {
    let edges = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    let graph = Graph::from_edges(10, edges).unwrap();
    let instance = Instance::on_graph("a < b & \u{1}", graph, TourKind::Open, Vertex::new(1)).unwrap();
    let order = [1, 0, 4, 3, 2, 7, 5, 8, 6, 9].map(Vertex::new).to_vec();
    let tour = Tour::check(&instance, order).unwrap();
    (instance, tour)
}

const PLAIN: Style = Style { numbers: false, colours: Colours::Along, animate: false };
const NUMBERED: Style = Style { numbers: true, ..PLAIN };
const ALL: Style = Style { numbers: true, colours: Colours::One, animate: true };

/// Returns scenes for pictures of all kinds.
fn scenes() -> Vec<Scene> {
    let one_step = Leaper::new(0, 1).unwrap();
    let tours = [closed(), knight(8, 8), knight(6, 40), open_tour(12, 1, one_step), petersen()];
    let mut scenes = Vec::new();
    for style in [PLAIN, NUMBERED, ALL] {
        let pictures: Vec<_> = tours.iter().map(|(i, t)| Scene::tour(i, t, style)).collect();
        scenes.extend(pictures.iter().cloned());
        scenes.push(sheet::scene(pictures.clone(), None));
        let captioned = pictures.into_iter().map(|p| p.captioned("Some words & more"));
        scenes.push(sheet::scene(captioned.collect(), Some(2)));
    }
    scenes.push(knight(30, 30).picture(NUMBERED));
    scenes.push(queens());
    scenes
}

trait Drawn {
    fn picture(&self, style: Style) -> Scene;
}

impl Drawn for (Instance, Tour) {
    fn picture(&self, style: Style) -> Scene {
        Scene::tour(&self.0, &self.1, style)
    }
}

fn queens() -> Scene {
    let queens = Queens::new(8).unwrap();
    let placement = Placement::check(&queens, vec![0, 4, 7, 5, 2, 6, 1, 3]).unwrap();
    Scene::placement(&queens, &placement)
}

#[test]
fn nothing_is_cut_off() {
    for scene in scenes() {
        for mark in &scene.marks {
            let rim = mark.outline.map_or(0.0, |(_, width)| width);
            let (low, high) = mark.shape.bounds();
            let mut corners = vec![low, high];
            if let Timing::Along { places, .. } = &mark.timing {
                let (dx, dy) = ((high.x - low.x) / 2.0, (high.y - low.y) / 2.0);
                for p in places {
                    corners.push(Point { x: p.x - dx, y: p.y - dy });
                    corners.push(Point { x: p.x + dx, y: p.y + dy });
                }
            }
            for Point { x, y } in corners {
                assert!(
                    rim <= x && x <= scene.width - rim && rim <= y && y <= scene.height - rim,
                    "{}: {mark:?}",
                    scene.title
                );
            }
        }
    }
}

#[test]
fn no_label_covers_another() {
    for scene in scenes() {
        let texts: Vec<_> = scene
            .marks
            .iter()
            .filter(|mark| matches!(mark.shape, Shape::Text { .. }))
            .map(|mark| mark.shape.bounds())
            .collect();
        for (k, (low, high)) in texts.iter().enumerate() {
            for (other_low, other_high) in &texts[..k] {
                let apart = |a: f64, b: f64, c: f64, d: f64| b <= c || d <= a;
                assert!(
                    apart(low.x, high.x, other_low.x, other_high.x) || apart(low.y, high.y, other_low.y, other_high.y),
                    "{}: {low:?} {other_low:?}",
                    scene.title
                );
            }
        }
    }
}

/// Tests a claim in the documentation of `render/trail.rs`: knight's moves pass the centres of squares at a distance of
/// at least 0.447 squares.
#[test]
fn no_arrow_touches_a_number() {
    for tour in [closed(), knight(8, 8), knight(30, 30)] {
        let scene = tour.picture(NUMBERED);
        let discs: Vec<_> = scene
            .marks
            .iter()
            .filter_map(|mark| match mark.shape {
                Shape::Circle { centre, radius } => Some((centre, radius)),
                _ => None,
            })
            .collect();
        assert_eq!(discs.len(), tour.1.order().len() - 1);
        let polygons = scene.marks.iter().filter_map(|mark| match &mark.shape {
            Shape::Polygon(points) => Some((points, mark.outline.map_or(0.0, |o| o.1))),
            _ => None,
        });
        for (points, rim) in polygons {
            for (k, &from) in points.iter().enumerate() {
                let to = points[(k + 1) % points.len()];
                for &(centre, radius) in &discs {
                    let far = distance(centre, from, to);
                    // The corners of an arrow's shaft may lie beneath the rim of the disc where the arrow begins.
                    assert!(far > 0.9 * radius - rim, "{}: {far} {radius}", scene.title);
                }
            }
        }
    }
}

/// Returns the distance of a point from the line segment between `a` and `b`.
fn distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
    let along = along.clamp(0.0, 1.0);
    (p.x - a.x - along * dx).hypot(p.y - a.y - along * dy)
}

#[test]
fn the_same_scene_is_the_same_well_formed_bytes() {
    for scene in scenes() {
        let text = svg::document(&scene);
        assert_eq!(text, svg::document(&scene));
        let document = roxmltree::Document::parse(&text).unwrap();
        let named = |name: &str| {
            let all = document.descendants();
            all.filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name))).count()
        };
        let shapes: usize = ["rect", "circle", "polygon", "path", "text"].map(named).iter().sum();
        assert_eq!(shapes, scene.marks.len() + 1, "{}", scene.title);
        assert_eq!((named("title"), named("script")), (1, 0));
        let moving = |mark: &&Mark| mark.timing != Timing::Always;
        assert_eq!(named("animate") > 0, scene.marks.iter().any(|mark| moving(&mark)), "{}", scene.title);
    }
    let (first, second) = (knight(8, 8).picture(NUMBERED), knight(8, 8).picture(NUMBERED));
    assert_eq!(first, second);
    assert!(png::file(&first).unwrap() == png::file(&second).unwrap());
}

#[test]
fn an_8x8_svg_is_small() {
    for (style, most) in [(PLAIN, 25_000), (NUMBERED, 32_000), (ALL, 50_000)] {
        let bytes = svg::document(&knight(8, 8).picture(style)).len();
        assert!(bytes < most, "{bytes} {style:?}");
    }
}

/// Tests that the picture in README shows the tour that the first command prints.
#[test]
fn the_picture_in_readme_is_drawn_from_the_first_tour() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("tour.svg");
    run(&format!("solve 8x8 --encoding binary --numbers --render {}", drawn.display())).says(10, "a tour");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = fs::read_to_string(root.join("results/tour-8x8.svg")).unwrap();
    assert!(picture == fs::read_to_string(drawn).unwrap());
    assert!(fs::read_to_string(root.join("README.md")).unwrap().contains("(results/tour-8x8.svg)"));
}

#[test]
fn png_has_the_marks_where_the_scene_says() {
    let tour = closed();
    let scene = tour.picture(PLAIN);
    let pixels = Pixmap::decode_png(&png::file(&scene).unwrap()).unwrap();
    assert_eq!(
        (pixels.width(), pixels.height()),
        ((2.0 * scene.width).ceil() as u32, (2.0 * scene.height).ceil() as u32)
    );
    let at = |p: Point| {
        let pixel = pixels.pixel((2.0 * p.x) as u32, (2.0 * p.y) as u32).unwrap();
        (pixel.red(), pixel.green(), pixel.blue())
    };
    let mut ends = 0;
    for mark in &scene.marks {
        let fill = mark.fill.unwrap();
        match mark.shape {
            Shape::Circle { centre, .. } => assert_eq!(at(centre), (fill.0, fill.1, fill.2)),
            Shape::Rectangle { corner, width, height, radius } if radius > 0.0 => {
                let middle = Point { x: corner.x + width / 2.0, y: corner.y + height / 2.0 };
                assert_eq!(at(middle), (fill.0, fill.1, fill.2));
                ends += 1;
            }
            _ => {}
        }
    }
    assert_eq!(ends, 1);
    assert_eq!(at(Point { x: 1.0, y: 1.0 }), (0xff, 0xfd, 0xf9));
}

/// Tests that a sheet that would be too large becomes a picture of bounded size, even if it is not readable.
#[test]
fn large_pictures_are_made_smaller() {
    let queens = Queens::new(4).unwrap();
    let placement = Placement::check(&queens, vec![1, 3, 0, 2]).unwrap();
    let pictures = vec![Scene::placement(&queens, &placement); 500];
    let scene = sheet::scene(pictures, Some(500));
    let pixels = Pixmap::decode_png(&png::file(&scene).unwrap()).unwrap();
    assert!(pixels.width() <= 30_000 && pixels.height() > 50);
}

#[test]
fn queens_stand_on_their_squares() {
    let scene = queens();
    assert_eq!(scene.title, "8 queens on 8x8");
    let crowns = scene.marks.iter().filter(|mark| matches!(mark.shape, Shape::Polygon(_)));
    assert_eq!(crowns.count(), 8);
}

#[test]
fn a_tour_that_is_found_is_drawn_in_every_format_and_read_again() {
    let folder = Place::new();
    let solved = folder.run(
        "solve 5x6 --numbers --animate \
         --render a.svg --render a.png --render a.pdf --render a.txt --render a.json",
    );
    let printed = solved.text(10);
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let as_text = |name: &str| String::from_utf8(read(name)).unwrap();
    assert!(printed.contains(&as_text("a.txt")));
    assert!(roxmltree::Document::parse(&as_text("a.svg")).is_ok());
    assert!(as_text("a.svg").contains("<animate "));
    assert!(Pixmap::decode_png(&read("a.png")).is_ok());
    assert!(read("a.pdf").starts_with(b"%PDF-"));
    assert_eq!(folder.names("").len(), 5);

    folder.run("check a.json a.txt").prints(
        0,
        "a.json: 5x6 knight, closed tours, start a1: a tour that visits all 30 squares once with 30 valid moves\n\
         a.txt: 5x6 knight, closed tours, start a1: a tour that visits all 30 squares once with 30 valid moves\n",
    );
    folder.run("show a.json").ends(0, as_text("a.txt"));
    // The same tour gives the same bytes, whichever file it comes from.
    for source in ["a.json", "a.txt"] {
        folder.run(&format!("show {source} -o b.svg --numbers --animate")).prints(0, "");
        assert_eq!(read("a.svg"), read("b.svg"));
    }
    // The text file has one line for each tour, and the sheet shows all tours.
    folder.run("show a.json a.txt -o two.json").prints(0, "");
    assert_eq!(as_text("two.json"), as_text("a.json").repeat(2));
    folder.run("show two.json a.txt -o sheet.svg --columns 3").prints(0, "");
    let sheet = as_text("sheet.svg");
    for caption in [">two 1<", ">two 2<", ">a<"] {
        assert!(sheet.contains(caption), "{caption}");
    }
    folder.run("show two.json").exits(0).times(2, as_text("a.txt")).and("two 2: 5x6 knight");
}

/// Returns a closed tour of a wazir around a hole, which has no number.
fn around_a_hole() -> (Instance, Tour) {
    let text = "# 3x3-b2 (0,1)-leaper, closed tours\na1 b1 c1 c2 c3 b3 a3 a2\n";
    let claim = file::read(text, None).unwrap().remove(0);
    (claim.instance().clone(), claim.check().unwrap())
}

#[test]
fn a_hole_is_a_dark_square_without_a_number() {
    let (instance, tour) = around_a_hole();
    assert_eq!(instance.name(), "leaper:0,1:3x3-b2");
    let text = anstream::adapter::strip_str(&terminal::tour(&instance, &tour)).to_string();
    insta::assert_snapshot!(text, @r"
        a   b   c
      ┌───┬───┬───┐
    1 │ 1 │ 2 │ 3 │
      ├───┼───┼───┤
    2 │ 8 │ █ │ 4 │
      ├───┼───┼───┤
    3 │ 7 │ 6 │ 5 │
      └───┴───┴───┘
    ");
    // The drawing and the JSON record are read back as the same tour.
    let heading = instance.to_string() + "\n\n";
    let json = serde_json::to_string(&file::TourFile::new(&instance, &tour)).unwrap();
    for written in [heading + &text, json] {
        let claim = file::read(&written, None).unwrap().remove(0);
        assert_eq!(claim.instance().to_string(), instance.to_string());
        assert_eq!(claim.check().unwrap(), tour);
    }
    // Without a heading, the drawing still determines the board and the hole.
    let bare = file::read(&text, Piece::named("wazir")).unwrap().remove(0);
    assert_eq!(bare.check().unwrap(), tour);
    let svg = svg::document(&Scene::tour(&instance, &tour, NUMBERED));
    assert_eq!(svg.matches("#4a443c").count(), 1);
}
