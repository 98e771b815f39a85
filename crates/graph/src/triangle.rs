//! Small graphs as the upper triangle of the adjacency matrix, in the bit order of graph6.
//!
//! The pairs (v, w) with v < w are numbered column by column: (0,1), (0,2), (1,2), (0,3), and so on, so that (v, w) has
//! the number w(w − 1)/2 + v. A word holds 60 pairs, because ten characters of graph6 hold 60 bits. Reading a line takes
//! a few operations per character. To test if a graph contains the edges of another graph takes one operation per word.

use crate::masks::Masks;

/// Number of pairs per word.
const PAIRS_PER_WORD: usize = 60;
/// Number of words of the largest graph.
const WORDS: usize = n_pairs(Triangle::MOST).div_ceil(PAIRS_PER_WORD);

/// First character of the alphabet of graph6, which stands for six zeros.
const FIRST: u8 = b'?';
/// Number of bits per character of graph6.
const BITS: usize = 6;

/// Graph of at most [`Triangle::MOST`] vertices, with one bit per pair of vertices.
#[derive(Clone, Debug)]
pub struct Triangle {
    n: u32,
    /// Pairs, 60 per word. The first pair is the highest bit of the first word. Only the words of the graph's pairs are
    /// valid.
    words: [u64; WORDS],
}

const fn n_pairs(n: u32) -> usize {
    (n * n.saturating_sub(1) / 2) as usize
}

/// Indexed by number of a pair: its vertices. The table ends with the last word.
const PAIRS: [[u8; 2]; WORDS * PAIRS_PER_WORD] = {
    let mut pairs = [[0; 2]; WORDS * PAIRS_PER_WORD];
    let (mut v, mut w, mut number) = (0, 1, 0);
    while number < n_pairs(Triangle::MOST) {
        pairs[number] = [v, w];
        number += 1;
        v += 1;
        if v == w {
            (v, w) = (0, w + 1);
        }
    }
    pairs
};

impl Triangle {
    /// Largest number of vertices.
    pub const MOST: u32 = Masks::MOST;

    /// Returns the graph on `n` vertices without edges; `None` if `n` is too large.
    pub fn edgeless(n: u32) -> Option<Self> {
        let words = [0; WORDS];
        (n <= Self::MOST).then_some(Self { n, words })
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Returns the number of edges.
    pub fn n_edges(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn words(&self) -> &[u64] {
        &self.words[..n_pairs(self.n).div_ceil(PAIRS_PER_WORD)]
    }

    /// Adds an edge between two different vertices, or keeps an existing one.
    #[inline]
    pub fn join(&mut self, v: u32, w: u32) {
        debug_assert!(v != w && v.max(w) < self.n);
        let number = n_pairs(v.max(w)) + v.min(w) as usize;
        self.words[number / PAIRS_PER_WORD] |= 1 << 63 >> (number % PAIRS_PER_WORD);
    }

    /// True if the two graphs have the same number of vertices, and the other graph has all edges of this graph.
    #[inline]
    pub fn is_contained_in(&self, other: &Self) -> bool {
        let mut pairs = self.words().iter().zip(&other.words);
        self.n == other.n && pairs.all(|(&own, &others)| own & !others == 0)
    }

    /// Reads a graph in graph6 at the beginning of `text`, in place of this graph. Returns the number of its bytes.
    ///
    /// Returns `None` if the text begins with anything else than such a graph of at most 62 vertices, followed by a line
    /// feed. The graph is then undefined.
    pub fn read_line(&mut self, text: &[u8]) -> Option<usize> {
        // Graphs of more than 62 vertices begin with another character.
        let n = text.first()?.wrapping_sub(FIRST);
        let length = 1 + n_pairs(u32::from(n).min(62)).div_ceil(BITS);
        if n > 62 || text.get(length) != Some(&b'\n') {
            return None;
        }
        self.n = n.into();
        let mut all = 0;
        let characters = text[1..length].chunks(PAIRS_PER_WORD / BITS);
        for (word, characters) in self.words.iter_mut().zip(characters) {
            let value = characters.iter().fold(0, |value, byte| {
                let bits = byte.wrapping_sub(FIRST);
                all |= bits;
                value << BITS | u64::from(bits)
            });
            *word = value << (64 - BITS * characters.len());
        }
        // Bits after the last pair must be zero.
        let rest = self.words().last().map_or(0, |last| {
            let used = n_pairs(self.n) - (self.words().len() - 1) * PAIRS_PER_WORD;
            last << used
        });
        (all >> BITS == 0 && rest == 0).then_some(length)
    }

    /// Returns the graph with one adjacency word per vertex.
    ///
    /// # Panics
    ///
    /// Never: both representations have the same limit.
    pub fn masks(&self) -> Masks {
        let mut masks = Masks::edgeless(self.n).expect("the limits are equal");
        for (pairs, &word) in PAIRS.chunks(PAIRS_PER_WORD).zip(self.words()) {
            let mut left = word;
            while left != 0 {
                let zeros = left.leading_zeros();
                left &= !(1 << 63 >> zeros);
                let [v, w] = pairs[zeros as usize];
                masks.join(v.into(), w.into());
            }
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;
    use crate::formats::{Format, write};
    use crate::graph_strategy::graphs;
    use proptest::prelude::*;

    /// Returns the graph in graph6, with its line end.
    fn graph6(graph: &Graph) -> Vec<u8> {
        let mut text = Vec::new();
        write(Format::GRAPH6, graph, &mut text).unwrap();
        text
    }

    fn read(text: &[u8]) -> Option<(usize, Triangle)> {
        // A reader that keeps words of the graph before it would be found.
        let mut triangle = Triangle::edgeless(Triangle::MOST).unwrap();
        (1..Triangle::MOST).for_each(|w| (0..w).for_each(|v| triangle.join(v, w)));
        let length = triangle.read_line(text)?;
        Some((length, triangle))
    }

    #[test]
    fn only_whole_lines_of_graph6_are_read() {
        let (length, triangle) = read(b"Bw\nB~\n").unwrap();
        assert_eq!((length, triangle.n(), triangle.n_edges()), (2, 3, 3));
        assert_eq!(triangle.masks().rows(), [0b110, 0b101, 0b011]);
        for (text, length) in [("?\n", 1), ("@\n", 1), ("A?\n", 2), ("A_\n", 2)] {
            assert_eq!(read(text.as_bytes()).map(|(length, _)| length), Some(length));
        }
        // Wrong characters, too many or too few of them, bits after the end, other formats and line ends.
        let wrong =
            "/\n/B/B\n/Bw/Bw\r\n/Bww\n/B \n/B\u{7f}\n/B~\n/B@\n/>>graph6<<Bw\n/:Bw\n/&BO?\n/~?@B\n/~\n/\u{7f}w\n";
        for text in wrong.split('/') {
            assert!(read(text.as_bytes()).is_none(), "{text:?}");
        }
        let most = Graph::from_edges(62, [(0, 61), (3, 60)]).unwrap();
        let (length, triangle) = read(&graph6(&most)).unwrap();
        assert_eq!((length, triangle.masks().to_graph()), (317, most));
    }

    #[test]
    fn the_largest_graph_fits() {
        let mut triangle = Triangle::edgeless(64).unwrap();
        triangle.join(63, 62);
        assert_eq!(triangle.masks().row(62), 1 << 63);
        assert_eq!(triangle.n_edges(), 1);
        assert!(Triangle::edgeless(65).is_none());
    }

    proptest! {
        #[test]
        fn triangles_are_the_graphs_that_are_read(graph in graphs(2..=20), other in graphs(2..=20)) {
            let triangle = |graph: &Graph| read(&graph6(graph)).unwrap().1;
            let [own, others] = [&graph, &other].map(triangle);
            prop_assert_eq!(own.masks().to_graph(), graph.clone());
            prop_assert_eq!(own.n_edges(), graph.n_edges());
            let mut joined = Triangle::edgeless(graph.n_vertices()).unwrap();
            let mut larger = own.clone();
            for arc in graph.arcs() {
                joined.join(arc.tail.number(), arc.head.number());
            }
            prop_assert_eq!(joined.masks(), own.masks());
            larger.join(0, graph.n_vertices() - 1);
            prop_assert!(own.is_contained_in(&own) && own.is_contained_in(&larger));
            prop_assert_eq!(larger.is_contained_in(&own), larger.masks() == own.masks());
            let is_part = graph.n_vertices() == other.n_vertices()
                && graph.arcs().all(|arc| other.arc(arc.tail, arc.head).is_some());
            prop_assert_eq!(own.is_contained_in(&others), is_part);
        }
    }
}
