//! Pictures of tours, and tours in files. Nothing in a picture is cut off or covered, the contents of files agree with
//! their names, and every tour passes the same check.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::warnsdorff::open_tour;
use hamcnf::render::scene::{Mark, Point, Shape, Timing};
use hamcnf::render::{Colours, Picture, Scene, Style, file, png, sheet, svg, terminal};
use hamcnf::{Graph, Instance, Leaper, Piece, Placement, Queens, Tour, TourKind, Vertex};
use tiny_skia::Pixmap;

use crate::command::{feed, hamcnf, run};

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
        let pictures: Vec<_> = tours.iter().map(|(i, t)| Picture::tour(i, t)).collect();
        scenes.extend(pictures.iter().map(|picture| picture.scene(style)));
        scenes.push(sheet::scene(&pictures, None, style));
        let captioned = pictures.into_iter().map(|p| p.captioned("Some words & more"));
        let captioned: Vec<_> = captioned.collect();
        scenes.push(sheet::scene(&captioned, Some(2), style));
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
        Picture::tour(&self.0, &self.1).scene(style)
    }
}

fn queens() -> Scene {
    let queens = Queens::new(8).unwrap();
    let placement = Placement::check(&queens, vec![0, 4, 7, 5, 2, 6, 1, 3]).unwrap();
    Picture::placement(&queens, &placement).scene(PLAIN)
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

/// Tests that the picture and the board in README show the same tour. The picture is made by `hamcnf solve 8x8 --render
/// results/tour-8x8.svg --numbers`.
#[test]
fn the_picture_in_readme_is_drawn_from_the_board_in_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (begin, end) = (readme.find('┌').unwrap(), readme.find('┘').unwrap());
    let claim = file::read(&readme[begin..end], None).unwrap().remove(0);
    let tour = (claim.instance().clone(), claim.check().unwrap());
    assert_eq!(tour.0.to_string(), "8x8 knight, closed tours, start a1");
    let picture = fs::read_to_string(root.join("results/tour-8x8.svg")).unwrap();
    assert!(picture == svg::document(&tour.picture(NUMBERED)));
    assert!(readme.contains("(results/tour-8x8.svg)"));
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
    let pictures = vec![Picture::placement(&queens, &placement); 500];
    let scene = sheet::scene(&pictures, Some(500), PLAIN);
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

/// Returns standard output, after checking the exit code and that standard error is empty.
#[track_caller]
fn text(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.as_ref()), (Some(code), ""));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the only line on standard error, after checking that standard output is empty and the exit code is 2.
#[track_caller]
fn refused(output: &Output) -> String {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(output.stdout.is_empty());
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors.trim_end().strip_prefix("hamcnf: ").unwrap().to_owned()
}

fn in_folder(folder: &Path, args: &str) -> Output {
    hamcnf(args).current_dir(folder).output().unwrap()
}

#[test]
fn a_tour_that_is_found_is_drawn_in_every_format_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| in_folder(folder.path(), args);
    let solved = here(
        "solve 5x6 --numbers --animate \
         --render a.svg --render a.png --render a.pdf --render a.txt --render a.json",
    );
    let printed = text(&solved, 10);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let as_text = |name: &str| String::from_utf8(read(name)).unwrap();
    assert!(printed.contains(&as_text("a.txt")));
    assert!(roxmltree::Document::parse(&as_text("a.svg")).is_ok());
    assert!(as_text("a.svg").contains("<animate "));
    assert!(Pixmap::decode_png(&read("a.png")).is_ok());
    assert!(read("a.pdf").starts_with(b"%PDF-"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);

    assert_eq!(
        text(&here("check a.json a.txt"), 0),
        "a.json: 5x6 knight, closed tours, start a1: a tour that visits all 30 squares once with 30 valid moves\n\
         a.txt: 5x6 knight, closed tours, start a1: a tour that visits all 30 squares once with 30 valid moves\n"
    );
    let shown = text(&here("show a.json"), 0);
    assert!(shown.ends_with(&as_text("a.txt")), "{shown}");
    // The same tour gives the same bytes, whichever file it comes from.
    for source in ["a.json", "a.txt"] {
        let again = here(&format!("show {source} -o b.svg --numbers --animate"));
        assert_eq!(text(&again, 0), "");
        assert_eq!(read("a.svg"), read("b.svg"));
    }
    // The text file has one line for each tour, and the sheet shows all tours.
    assert_eq!(text(&here("show a.json a.txt -o two.json"), 0), "");
    assert_eq!(as_text("two.json"), as_text("a.json").repeat(2));
    assert_eq!(text(&here("show two.json a.txt -o sheet.svg --columns 3"), 0), "");
    let sheet = as_text("sheet.svg");
    for caption in [">two 1<", ">two 2<", ">a<"] {
        assert!(sheet.contains(caption), "{caption}");
    }
    let shown = text(&here("show two.json"), 0);
    assert_eq!(shown.matches(&as_text("a.txt")).count(), 2);
    assert!(shown.contains("two 2: 5x6 knight"), "{shown}");
}

#[test]
fn what_other_commands_print_is_read() {
    let json = text(&run("solve 5x5 --open --start c3 --json"), 10);
    let checked = text(&feed("check -", &json), 0);
    assert_eq!(
        checked,
        "standard input: 5x5 knight, open tours, start c3: \
         a tour that visits all 25 squares once with 24 valid moves\n"
    );
    assert!(text(&feed("show -", &json), 0).contains("│ 25 │"));
    let model = text(&run("solve 5x6 --dimacs"), 10);
    let decoded = text(&feed("decode 5x6 - --json", &model), 10);
    assert!(text(&feed("check -", &decoded), 0).contains("with 30 valid moves"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.json");
    let decode = format!("decode 5x6 - --render {}", file.display());
    text(&feed(&decode, &model), 10);
    assert!(text(&run(&format!("check {}", file.display())), 0).contains("a tour"));
    let none = text(&run("solve 5x5 --json"), 20);
    let message = refused(&feed("check -", &none));
    assert!(message.ends_with("the status is \"no-tour\""), "{message}");
}

#[test]
fn the_first_wrong_move_is_named() {
    let right = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
    for (from, to, wrong) in [
        ("d2", "d1", "move 4, b1 to d1, is not a knight's move"),
        ("d2", "a3", "move 4, b1 to a3, returns to the vertex at position 2"),
        ("a3 b1", "a1 b1", "move 2, c2 to a1, returns to the vertex at position 0"),
        (" d3", "", "the tour visits 11 vertices, but 3x4 has 12"),
    ] {
        let output = feed("check -", right.replace(from, to));
        let said = text(&output, 1);
        assert_eq!(said, format!("standard input: 3x4 knight, open tours, start a1: not a tour: {wrong}\n"));
    }
    let two = format!("{right}\n{}\n", right.replace("b2 d3", "d3 b2"));
    let said = text(&feed("check -", &two), 1);
    assert!(said.starts_with("standard input, tour 1: 3x4 knight, open tours, start a1: a tour"));
    assert!(said.contains("standard input, tour 2: 3x4 knight, open tours, start a1: not a tour"));
    let message = refused(&feed("show -", &two));
    assert!(message.starts_with("tour 2 in standard input is not a tour: move 10, d1 to d3, is not"), "{message}");
    // The file names a start, and states that the tour is closed.
    let json = r#"{"tour": ["a1"], "details": {"instance": "3x4", "tours": "closed", "start": "d3"}}"#;
    assert!(text(&feed("check -", json), 1).ends_with("the tour starts at a1, not at d3\n"));
}

#[test]
fn rows_of_numbers_are_boards() {
    let grid = "1 4 7 10\n12 9 2 5\n3 6 11 8\n";
    let said = text(&feed("check -", grid), 0);
    assert_eq!(
        said,
        "standard input: 3x4 knight, open tours, start a1: a tour that visits all 12 squares once with 11 valid moves\n"
    );
    assert!(text(&feed("show -", grid), 0).contains("│ 12 │  9 │  2 │  5 │"));
    // Further boards: numbers from 0 with commas under a heading, two boards in one text, and a closed tour around a
    // hole.
    let from_zero = "# 3x4 knight, open tours\n0, 3, 6, 9\n11, 8, 1, 4\n2, 5, 10, 7\n";
    let two = text(&feed("check -", format!("{from_zero}\n{grid}")), 0);
    assert_eq!(two.matches("a tour that visits all 12 squares once").count(), 2, "{two}");
    let ring = "1 2 3\n8 . 4\n7 6 5\n";
    let said = text(&feed("check - --leaper 0,1", ring), 0);
    assert!(said.contains("3x3-b2 (0,1)-leaper, closed tours, start a1: a tour"), "{said}");
    let wrong = grid.replace("11 8", "8 11");
    let said = text(&feed("check -", &wrong), 1);
    assert!(said.contains("not a tour: move 7, "), "{said}");
    assert!(text(&feed("check -", grid.replace(" 8", " 7")), 1).contains("number 8 is missing from the board"));
    assert!(refused(&feed("check -", "1 2 3 4\n")).ends_with("name the graph with --graph"));
    assert!(
        refused(&feed("check - --graph 4x3", grid)).contains("the tour is on the board 3x4, but --graph names 4x3")
    );
}

#[test]
fn a_board_may_be_named_for_tours_that_do_not_say_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| in_folder(folder.path(), args);
    text(&here("solve leaper:0,1:4x4 -q --render x.tour"), 10);
    let file = folder.path().join("x.tour");
    let tour = fs::read_to_string(&file).unwrap();
    let bare: Vec<_> = tour.lines().filter(|line| !line.starts_with("NAME") && !line.starts_with("COMMENT")).collect();
    fs::write(&file, bare.join("\n")).unwrap();
    assert!(refused(&here("show x.tour")).ends_with("name the board or graph with --graph"));
    let shown = text(&here("show x.tour --graph leaper:0,1:4x4"), 0);
    assert!(shown.starts_with("4x4 (0,1)-leaper, closed tours, start a1: a tour"), "{shown}");
    assert!(text(&here("show x.tour --graph leaper:0,1:4x4 --ranks up"), 0).contains("\n4 │  1 │"));
    assert!(text(&here("check x.tour --graph 4x4"), 1).contains("not a tour"));
    assert!(refused(&here("show x.tour --graph 4x4+x")).contains("4x4+x"));
}

#[test]
fn nothing_is_drawn_of_no_tour_and_bad_requests_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| in_folder(folder.path(), args);
    assert!(text(&here("solve 3x3 --render none.svg"), 20).contains("there is no tour"));
    for (args, message) in [
        ("solve 5x6 --render tour.gif", "use a name that ends in .svg, .png, .pdf, .txt, .json or .tour"),
        ("solve 5x6 --render tour", "use a name that ends in"),
        (
            "solve 5x6 --numbers",
            "--numbers needs a picture: add --render with a file name that ends in .svg, .png or .pdf",
        ),
        (
            "solve 5x6 --render x.png --animate",
            "--animate needs a picture: add --render with a file name that ends in .svg",
        ),
        ("show x.json --plain", "--plain needs a picture: add --output"),
        ("show x.json --columns 2", "required arguments were not provided: --output <FILE>"),
        (
            "show x.json -o y.svg --columns 0",
            "invalid value \"0\" for \"--columns <N>\": it must be a whole number from 1",
        ),
        ("show x.json", "cannot read x.json: No such file"),
        ("check", "required arguments were not provided: <FILE>...; see `hamcnf check --help`"),
        ("check .", "cannot read .: Is a directory"),
    ] {
        let said = refused(&here(args));
        assert!(said.contains(message), "{args}: {said}");
    }
    assert!(refused(&feed("check -", "")).contains("cannot read standard input: tour 1: the text is empty"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // An error that is predictable is reported before any work.
    let said = refused(&here("solve 5x6 --render no/such/folder.svg"));
    assert!(said.starts_with("cannot write no/such/folder.svg"), "{said}");
    // The tour is printed even if the picture cannot be written.
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full.svg")).unwrap();
    let output = here("solve 5x6 --render full.svg");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("│ 30 │"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot write full.svg"), "{said}");
}

#[test]
fn help_says_enough() {
    for command in ["show", "check"] {
        let help = text(&run(&format!("{command} --help")), 0);
        assert!(help.contains("Examples:") && help.contains(&format!("hamcnf {command} ")));
    }
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
    let svg = svg::document(&Picture::tour(&instance, &tour).scene(NUMBERED));
    assert_eq!(svg.matches("#4a443c").count(), 1);
}
