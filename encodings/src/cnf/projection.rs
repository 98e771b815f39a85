//! Projection sets: the variables over which a model counter counts.

use std::fmt;
use std::str::FromStr;

use rustsat::types::Var;

/// Projection set as the user requests it, before an encoding maps it to variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Projection {
    /// No projection: the file has no projection line.
    None,
    /// Every variable, including auxiliary ones.
    All,
    /// All arc variables. They are an independent support of every encoding that has them.
    Arcs,
    /// All edge variables, half as many as arc variables. They are an independent support if the orientation is fixed.
    /// If the orientation is free, both directions of a tour give the edge variables the same values.
    Edges,
    /// Variables of the edges outside a spanning tree, which has N − 1 edges. For closed tours they determine the
    /// variables of the edges in the tree.
    CoTree,
    /// Projection set that section 4.3 of the paper *Knights Tour* uses for this board and encoding. Few of these sets
    /// are independent supports.
    Paper,
    /// All variables "vertex v has position p" for these positions p, counted from 0.
    Positions(Vec<u32>),
    /// Ranges of DIMACS variables, counted from 1.
    Variables(Vec<Step>),
}

impl Projection {
    /// True if any two tours give the variables of the set different values, in every encoding that has the set.
    pub fn tells_tours_apart(&self) -> bool {
        match self {
            Self::None | Self::All | Self::Arcs | Self::Edges | Self::CoTree => true,
            Self::Paper | Self::Positions(_) | Self::Variables(_) => false,
        }
    }
}

/// The numbers `from`, `from + by`, `from + 2 * by`, and so on, up to `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// First number of the range.
    pub from: u32,
    /// Upper limit of the range. The last number of the range may be smaller.
    pub to: u32,
    /// Distance between two consecutive numbers, at least 1.
    pub by: u32,
}

/// Reason why a text is not a projection set, or why a formula does not have the set, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProjectionError(pub(crate) String);

impl FromStr for Projection {
    type Err = ProjectionError;

    fn from_str(text: &str) -> Result<Self, ProjectionError> {
        let item_error =
            |item, expected| ProjectionError(format!("\"{item}\" in the projection \"{text}\" is not {expected}"));
        let unknown = || {
            Err(ProjectionError(format!(
                "unknown projection \"{text}\"; choose from arcs, edges, co-tree, paper, all, none, or list positions or DIMACS \
                 variables, for example positions:4,8,16 (counted from 0) or vars:1..157/4 (every 4th variable from 1 to 157)"
            )))
        };
        match text.split_once(':') {
            None => match text {
                "none" => Ok(Self::None),
                "all" => Ok(Self::All),
                "arcs" => Ok(Self::Arcs),
                "edges" => Ok(Self::Edges),
                "co-tree" => Ok(Self::CoTree),
                "paper" => Ok(Self::Paper),
                _ => unknown(),
            },
            Some(("positions", items)) => items
                .split(',')
                .map(|item| item.parse().map_err(|_| item_error(item, "a position")))
                .collect::<Result<_, _>>()
                .map(Self::Positions),
            Some(("vars", items)) => items
                .split(',')
                .map(|item| {
                    let expected = "a variable, a range 1..157 or a stepped range 1..157/4";
                    step(item).ok_or_else(|| item_error(item, expected))
                })
                .collect::<Result<_, _>>()
                .map(Self::Variables),
            Some(_) => unknown(),
        }
    }
}

fn step(item: &str) -> Option<Step> {
    let (range, by) = match item.split_once('/') {
        Some((range, by)) => (range, by.parse().ok()?),
        None => (item, 1),
    };
    let (from, to) = match range.split_once("..") {
        Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
        None => {
            let only = range.parse().ok()?;
            (only, only)
        }
    };
    // A single number is written without its step.
    let step = Step { from, to, by: if from == to { by.min(1) } else { by } };
    (from >= 1 && from <= to && by >= 1).then_some(step)
}

impl fmt::Display for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: Vec<String>| f.write_str(&items.join(","));
        match self {
            Self::None => f.write_str("none"),
            Self::All => f.write_str("all"),
            Self::Arcs => f.write_str("arcs"),
            Self::Edges => f.write_str("edges"),
            Self::CoTree => f.write_str("co-tree"),
            Self::Paper => f.write_str("paper"),
            Self::Positions(positions) => {
                f.write_str("positions:")?;
                list(f, positions.iter().map(u32::to_string).collect())
            }
            Self::Variables(steps) => {
                f.write_str("vars:")?;
                list(f, steps.iter().map(Step::to_string).collect())
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { from, to, .. } if from == to => write!(f, "{from}"),
            Self { from, to, by: 1 } => write!(f, "{from}..{to}"),
            Self { from, to, by } => write!(f, "{from}..{to}/{by}"),
        }
    }
}

/// Returns the variables of stepped ranges in increasing order, without duplicates.
///
/// # Errors
///
/// [`ProjectionError`], with the first variable that the formula does not have.
pub fn stepped(steps: &[Step], n_vars: u32) -> Result<Vec<Var>, ProjectionError> {
    if let Some(beyond) = steps.iter().find(|s| s.to > n_vars) {
        let variable = beyond.to;
        return Err(ProjectionError(format!("variable {variable} is not in the formula; variables are 1 to {n_vars}")));
    }
    let numbers = steps.iter().flat_map(|s| (s.from..=s.to).step_by(s.by as usize));
    let mut variables: Vec<_> = numbers.map(|n| Var::new(n - 1)).collect();
    variables.sort_unstable();
    variables.dedup();
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_projections_are_inverse() {
        for text in [
            "none",
            "all",
            "arcs",
            "edges",
            "co-tree",
            "paper",
            "positions:4,8,16",
            "vars:1..157/4",
            "vars:3,5..9,20..30/5",
        ] {
            assert_eq!(text.parse::<Projection>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_projections_are_named() {
        for (text, part) in [
            ("trees", "unknown projection \"trees\""),
            ("edges:1", "unknown projection \"edges:1\""),
            ("positions:4,x", "\"x\" in the projection \"positions:4,x\" is not a position"),
            ("positions:", "\"\" in the projection"),
            ("vars:0", "\"0\" in the projection"),
            ("vars:9..3", "\"9..3\" in the projection"),
            ("vars:1..9/0", "\"1..9/0\" in the projection"),
        ] {
            let message = text.parse::<Projection>().unwrap_err().to_string();
            assert!(message.starts_with(part), "{message}");
        }
    }

    #[test]
    fn one_number_has_no_distance_to_the_next() {
        let one: Projection = "vars:3..3/574".parse().unwrap();
        assert_eq!(one.to_string(), "vars:3");
        assert_eq!("vars:3".parse::<Projection>().unwrap(), one);
    }

    #[test]
    fn stepped_ranges_include_their_ends_and_nothing_twice() {
        let numbers =
            |steps: &[Step], n| stepped(steps, n).map(|v| v.iter().map(|v| v.idx32() + 1).collect::<Vec<_>>());
        let every_4th = Step { from: 1, to: 157, by: 4 };
        let all = numbers(&[every_4th], 1291).unwrap();
        assert_eq!((all.len(), all[0], all[1], all[39]), (40, 1, 5, 157));
        let one = Step { from: 5, to: 5, by: 1 };
        assert_eq!(numbers(&[one, every_4th], 157).unwrap(), all);
        assert_eq!(
            numbers(&[every_4th], 156).unwrap_err().to_string(),
            "variable 157 is not in the formula; variables are 1 to 156"
        );
    }
}
