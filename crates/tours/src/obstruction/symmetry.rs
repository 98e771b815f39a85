//! Symmetries that no tour can have, because of fixed vertices or colours.

use super::*;

pub(super) const CHECK: Check = Check { kinds: &["symmetry"], find };

fn find(instance: &Instance, _: Endpoints) -> Option<Obstruction> {
    let mut symmetries = instance.constraints().iter().filter_map(|c| c.symmetry());
    let sentence = symmetries.find_map(|s| s.obstruction(instance.facts(), instance.kind()))?;
    Some(Obstruction { kind: "symmetry", witness: Witness::Hidden, sentence })
}
