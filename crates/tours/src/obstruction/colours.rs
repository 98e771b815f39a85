//! Sizes of the two colour classes of a connected bipartite graph.
//!
//! A closed tour alternates between the colours, so it visits equally many vertices of both. A path of N vertices
//! alternates, too. If N is even, the path has equally many vertices of both colours, and its ends differ in colour. If N
//! is odd, both ends have the same colour, and the path has one more vertex of this colour. If the sizes fit, tours may
//! exist or not.

use super::*;

pub(super) const CHECK: Check = Check { kinds: &["colours"], find };

fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let (start, odd) = (instance.start(), instance.odd()?);
    let (ends, most) = match ends {
        Endpoints::Closed => ([Some(start), None], 0),
        Endpoints::Open { from, to } => ([from, to], 1),
    };
    let odds = odd.iter().filter(|&&odd| odd).count() as u32;
    let evens = instance.n() - odds;
    let is_odd = |v: Vertex| odd[v.index()];
    // The first class is that of a given end, or the larger one.
    let end = ends[0].or(ends[1]);
    let (one, other) = if end.map_or(odds > evens, is_odd) { (odds, evens) } else { (evens, odds) };
    let more = one.checked_sub(other).filter(|&more| more <= most);
    let differ = ends[0].zip(ends[1]).map(|(from, to)| is_odd(from) != is_odd(to));
    if more.is_some_and(|more| differ.is_none_or(|differ| differ == (more == 0))) {
        return None;
    }
    let have = if one == 1 { "1 vertex has".to_owned() } else { format!("{one} vertices have") };
    let classes = |of: &str| format!("every move changes colour; {have} {of} and {other} the other colour");
    let fits = "but an open tour visits the same number of each, or one more of";
    let sentence = match ends.map(|end| end.map(|v| instance.vertex_name(v))) {
        _ if more.is_none() && ends[0] == Some(start) => {
            let classes = classes("the start's colour");
            match most {
                0 => format!("{classes}, but a closed tour visits the same number of each"),
                _ => format!("{classes}, {fits} the start's colour"),
            }
        }
        [Some(from), Some(to)] => {
            let classes = classes(&format!("the colour of {from}"));
            format!("{classes}, so an open tour from {from} cannot end in {to}")
        }
        [None, None] => format!("{}, {fits} one colour", classes("one colour")),
        [Some(end), None] | [None, Some(end)] => {
            format!("{}, {fits} the colour of its ends", classes(&format!("the colour of {end}")))
        }
    };
    Some(Obstruction { kind: "colours", witness: Witness::Colours, sentence })
}
