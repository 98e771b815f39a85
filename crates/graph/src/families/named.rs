//! Named graphs of the literature: `named:NAME`, or the name alone, such as `tutte`.
//!
//! `coxeter`, `goldner-harary`, `herschel`, `meredith`, `thomassen`, `tietze`, `tutte` and `walther` have no Hamiltonian
//! cycle; all others have one. The Petersen graph is in the family [`petersen`], and snarks are in the
//! family [`snark`].
//!
//! A cubic graph with a Hamiltonian cycle is written in LCF notation: vertex i of the cycle is also joined to vertex
//! i + s, where s is the i-th number of the list, which is repeated. The other graphs are written in sparse6.
//!
//! # References
//!
//! - Robert Frucht: *A Canonical Representation of Trivalent Hamiltonian Graphs*, Journal of Graph Theory 1, 1977: LCF
//!   notation.
//! - William Tutte: *On Hamiltonian Circuits*, Journal of the London Mathematical Society 21, 1946.
//! - Harold Coxeter: *My Graph*, Proceedings of the London Mathematical Society 46, 1983.
//! - Guy Meredith: *Regular n-Valent n-Connected NonHamiltonian Non-n-Edge-Colorable Graphs*, Journal of Combinatorial
//!   Theory B 14, 1973.
//! - Carsten Thomassen: *Hypohamiltonian and Hypotraceable Graphs*, Discrete Mathematics 9, 1974.
//! - Hansjoachim Walther: *Über die Nichtexistenz eines Knotenpunktes, durch den alle längsten Wege eines Graphen
//!   gehen*, Journal of Combinatorial Theory 6, 1969.

use super::*;
use crate::formats::{Format, Reading};
use Notation::{Lcf, Sparse6};

/// The family of named graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "named",
    form: "NAME",
    example: "named:tutte",
    says: "graph of the literature: tutte, coxeter, heawood, ...",
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        // An x is a separator of arguments, too.
        let name = words.join("x").to_ascii_lowercase();
        let found = GRAPHS.iter().find(|(own, ..)| *own == name);
        let &(_, has_cycle, notation) = found.ok_or_else(|| {
            let names: Vec<_> = names().collect();
            Wrong::Graph(NoGraph(format!("choose from {}", names.join(", "))))
        })?;
        has_one(asked, has_cycle).map_err(Wrong::Graph)?;
        notation.made(name)
    },
    ..FamilyKind::NONE
};

/// Notation of a graph.
#[derive(Clone, Copy)]
pub(super) enum Notation {
    /// Steps in LCF notation, and number of repetitions.
    Lcf(&'static [i32], u32),
    Sparse6(&'static str),
}

/// Names of the graphs in alphabetical order, true if the graph has a Hamiltonian cycle, and the graphs.
#[rustfmt::skip]
const GRAPHS: &[(&str, bool, Notation)] = &[
    ("balaban-10-cage", true, Lcf(&[-9, -25, -19, 29, 13, 35, -13, -29, 19, 25, 9, -29, 29, 17, 33, 21, 9, -13, -31, -9, 25, 17, 9, -31, 27, -9, 17, -19, -29, 27, -17, -9, -29, 33, -25, 25, -21, 17, -17, 29, 35, -29, 17, -17, 21, -25, 25, -33, 29, 9, 17, -27, 29, 19, -17, 9, -27, 31, -9, -17, -25, 9, 31, 13, -9, -21, -33, -17, -29, 29], 1)),
    ("chvatal", true, Sparse6(r":KcEgQOCUGrQG]?qg_CXGAER")),
    ("coxeter", false, Sparse6(r":[__a`cbD_abedc`hijkMlMNfNOgOPihgTfUlVkTWjUX")),
    ("dodecahedron", true, Lcf(&[10, 7, 4, -4, -7, 10, -4, 7, -7, 4], 2)),
    ("dyck", true, Lcf(&[5, -5, 13, -13], 8)),
    ("f26a", true, Lcf(&[-7, 7], 13)),
    ("folkman", true, Sparse6(r":Sd?BaC`B_A`C_BaC`B_A`CdEIJeFJKfGKLgHLMdHIM")),
    ("foster", true, Lcf(&[17, -9, 37, -37, 9, -17], 15)),
    ("franklin", true, Lcf(&[5, -5], 6)),
    ("frucht", true, Lcf(&[-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2], 1)),
    ("goldner-harary", false, Sparse6(r":J`?K?a_CS?baG[@B_CcPC_Gf")),
    ("gray", true, Lcf(&[-25, 7, -7, 13, -13, 25], 9)),
    ("groetzsch", true, Sparse6(r":J`AK`uAGkADcKkQD_Kn")),
    ("heawood", true, Lcf(&[5, -5], 7)),
    ("herschel", false, Sparse6(r":Jc?K?o`ELAeNK`hDN")),
    ("hoffman-singleton", true, Sparse6(concat!(
            r":q_OGCMF?_OGCGJAAOOgmDA`OgGOTEDPpS_THDP`hEMMGq@xEQOGoPhIAMHoPxQAOIophKo\bB@pOq]caqP[w]aaA@Wu_a@p",
            r"xSs^OopxGqZcB@hSmbbaq`WybaaPp_sda@a@KwcROppSk[bbA@GogcAqXcsga``x[yiaAPhOuhToq@OmYcb@xKklbAqh_ula",
            r"`phcwnaA@pGymW^"
        ))),
    ("icosahedron", true, Sparse6(r":K`?KGAFGcPDaY?Pfe\DRFRK`Si")),
    ("mcgee", true, Lcf(&[12, 7, -7], 8)),
    ("meredith", false, Sparse6(concat!(
            r":~?@E`??@?_M??OGB_?CA?wkFA?cI`o_HAg[GAOiP?GwNC@EMBp?Pb_{OCWMW@xSUDpaTD`[WdPWVEGi^Bho\F`}[FPw^f@s",
            r"]FyOVdi[bHASegqOdHiKcHQYefhumIakkJYgjJAuiIqoljWI@lRCqKrQpKbKskRGrLJQHaJowMRgzmBcyMz_xMbmzcG}bns@",
            r"@Oj|?OSI~OCDA"
        ))),
    ("moebius-kantor", true, Lcf(&[5, -5], 8)),
    ("nauru", true, Lcf(&[5, -9, 7, -7, 9, -5], 4)),
    ("pappus", true, Lcf(&[5, 7, -7, 7, -7, -5], 3)),
    ("robertson", true, Sparse6(r":R_`a_BcaDe`FcGeHbI`DJhKbFL_IMdGNaLO_FJP")),
    ("thomassen", false, Sparse6(r":a`?G?EAAb`WgYKFeAhOmGJESP{{`HGCW?aAS`DWXYJEKPq`eSVdex`qYNMsBtC~QKGN")),
    ("tietze", false, Sparse6(r":K`ETOPHG`XdLAYYHT")),
    ("tutte", false, Sparse6(r":m`?WSMHD_pwoa@?_QhSs\NgRaKE`FEdH@QaUcca|MUX`qr[YW\eVwaAs[nF{UMqclhIYYCfSWCmDT\QpTYr")),
    ("tutte-12-cage", true, Lcf(&[17, 27, -13, -59, -35, 35, -11, 13, -53, 53, -27, 21, 57, 11, -21, -57, 59, -17], 7)),
    ("tutte-coxeter", true, Lcf(&[-13, -9, 7, -7, 9, 13], 5)),
    ("walther", false, Sparse6(r":X_`abcde`ghijaGlmbNnpdQeIfhmUqSV")),
];

/// Returns the names of all graphs.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    GRAPHS.iter().map(|(name, ..)| *name)
}

impl Notation {
    /// Returns the graph with this name.
    pub(super) fn made(self, name: String) -> Result<Made, Wrong> {
        let graph = self.graph().map_err(Wrong::Graph)?;
        Ok(Made { arguments: vec![name], graph, is_asked_in_vain: false })
    }

    fn graph(self) -> Result<AnyGraph, NoGraph> {
        match self {
            Lcf(steps, times) => {
                let n = steps.len() as u32 * times;
                let steps = (0..n).zip(steps.iter().cycle());
                let edges = steps.flat_map(|(i, &step)| {
                    let other = i64::from(i) + i64::from(step);
                    [(i, (i + 1) % n), (i, other.rem_euclid(n.into()) as u32)]
                });
                Ok(Graph::from_edges(n, edges)?.into())
            }
            Sparse6(text) => {
                let read = Reading { format: Some(Format::SPARSE6), ..Reading::default() }.of_text(text);
                read.map(|read| read.graph).map_err(|error| NoGraph(error.to_string()))
            }
        }
    }
}
