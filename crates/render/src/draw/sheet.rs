//! Sheets: several pictures in rows and columns, each centred in its cell.

use super::scene::{Point, Scene};

/// Units between neighbouring pictures.
const GAP: f64 = 20.0;

/// Arranges pictures in the given number of columns. `None` makes the numbers of rows and columns about equal. A single
/// picture remains as it is.
pub fn scene(mut scenes: Vec<Scene>, columns: Option<usize>) -> Scene {
    if scenes.len() == 1 {
        return scenes.remove(0);
    }
    let columns = columns.unwrap_or((scenes.len() as f64).sqrt().ceil() as usize).clamp(1, scenes.len().max(1));
    let mut widths = vec![0.0f64; columns];
    let mut heights = vec![0.0f64; scenes.len().div_ceil(columns)];
    for (k, scene) in scenes.iter().enumerate() {
        let (row, col) = (k / columns, k % columns);
        widths[col] = widths[col].max(scene.width);
        heights[row] = heights[row].max(scene.height);
    }
    let before = |lengths: &[f64]| lengths.iter().map(|length| length + GAP).sum::<f64>();
    let titles: Vec<_> = scenes.iter().map(|scene| scene.title.as_str()).collect();
    let mut sheet = Scene {
        title: titles.join("; "),
        width: (before(&widths) - GAP).max(1.0),
        height: (before(&heights) - GAP).max(1.0),
        marks: Vec::new(),
    };
    for (k, scene) in scenes.into_iter().enumerate() {
        let (row, col) = (k / columns, k % columns);
        let corner = Point::new(
            before(&widths[..col]) + (widths[col] - scene.width) / 2.0,
            before(&heights[..row]) + (heights[row] - scene.height) / 2.0,
        );
        sheet.put(scene, corner);
    }
    sheet
}
