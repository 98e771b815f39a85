//! Pieces: sets of leapers and riders.
//!
//! A leaper jumps by fixed lengths along the two axes, in every direction. A rider repeats the same jump any number of
//! times; the rook is the (0,1)-rider. A piece has the jumps of all leapers in its set: the king has the jumps of the
//! (0,1)-leaper and of the (1,1)-leaper.

use std::fmt;
use std::str::FromStr;

use hamcnf_graph::names::instead;

/// Set of the jumps (±a, ±b) and (±b, ±a), and of their multiples if the leaper is a rider. The jumps of the knight are
/// those of the (1, 2)-leaper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Leaper {
    // Small, since boards are copied often, and errors contain them.
    a: u16,
    b: u16,
    rides: bool,
}

impl Leaper {
    /// The chess knight.
    pub const KNIGHT: Self = Self { a: 1, b: 2, rides: false };
    /// Filler of unused places in a [`Piece`]. No piece has this leaper.
    const NONE: Self = Self { a: 0, b: 0, rides: false };

    /// Returns the (a, b)-leaper; `None` if both lengths are 0, because this piece could not move, or if a length is
    /// greater than 65535.
    pub const fn new(a: u32, b: u32) -> Option<Self> {
        const MOST: u32 = u16::MAX as u32;
        if a == 0 && b == 0 || a > MOST || b > MOST {
            return None;
        }
        let (a, b) = (a as u16, b as u16);
        Some(Self { a, b, rides: false })
    }

    /// Returns a and b, the two lengths of the jump, in the order in which they were given to [`Leaper::new`].
    #[inline]
    pub const fn legs(self) -> (u32, u32) {
        (self.a as u32, self.b as u32)
    }

    /// Returns the leaper with the same jumps and with its lengths in increasing order.
    fn sorted(self) -> Self {
        let (a, b) = (self.a.min(self.b), self.a.max(self.b));
        Self { a, b, ..self }
    }

    /// Returns the lengths of the jumps along the two axes: a and b, and for a rider their multiples up to `reach`.
    pub fn lengths(self, reach: u64) -> impl Iterator<Item = (i64, i64)> + use<> {
        let times = if self.rides { reach / u64::from(self.a.max(self.b)) } else { 1 };
        let (a, b) = (i64::from(self.a), i64::from(self.b));
        (1..=times as i64).map(move |k| (k * a, k * b))
    }
}

impl FromStr for Leaper {
    type Err = PieceError;

    /// Parses `A,B`, such as `1,2` for the knight, or `A,B*` for a rider.
    fn from_str(text: &str) -> Result<Self, PieceError> {
        let (lengths, rides) = match text.strip_suffix(RIDES) {
            Some(lengths) => (lengths, true),
            None => (text, false),
        };
        let leg = |digits: &str| {
            let all_digits = digits.bytes().all(|b| b.is_ascii_digit());
            all_digits.then(|| digits.parse().ok()).flatten()
        };
        let legs = lengths.split_once(',').and_then(|(a, b)| Some((leg(a)?, leg(b)?)));
        legs.and_then(|(a, b)| Self::new(a, b)).map(|leaper| Self { rides, ..leaper }).ok_or_else(|| {
            let form = "write the lengths of its jump as A,B, such as 1,2 for the knight (not both 0)";
            PieceError(format!("\"{text}\" is not a leaper; {form}"))
        })
    }
}

impl fmt::Display for Leaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::KNIGHT {
            return f.write_str("knight");
        }
        write!(f, "({},{})-leaper", self.a, self.b)
    }
}

/// Error for a text that is not a piece, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PieceError(String);

/// A non-empty set of at most [`Piece::MOST`] leapers.
///
/// The leapers of a set are stored in increasing order, and so are the two lengths of each leaper. Equal sets are
/// therefore equal values. A piece of only one leaper is an exception: it keeps the order of the two lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece([Leaper; Piece::MOST]);

/// Pieces with names: the name, and the [lengths](Piece::lengths) of the jumps.
const NAMED: &[(&str, &str)] = &[
    ("knight", "1,2"),
    ("wazir", "0,1"),
    ("ferz", "1,1"),
    ("dabbaba", "0,2"),
    ("alfil", "2,2"),
    ("threeleaper", "0,3"),
    ("camel", "1,3"),
    ("zebra", "2,3"),
    ("tripper", "3,3"),
    ("giraffe", "1,4"),
    ("antelope", "3,4"),
    ("king", "0,1+1,1"),
    ("alibaba", "0,2+2,2"),
    ("fiveleaper", "0,5+3,4"),
    ("gnu", "1,2+1,3"),
    ("okapi", "1,2+2,3"),
    ("bison", "1,3+2,3"),
    ("zebu", "1,3+1,4"),
    ("centaur", "0,1+1,1+1,2"),
    ("squirrel", "0,2+1,2+2,2"),
    ("buffalo", "1,2+1,3+2,3"),
    ("rook", "0,1*"),
    ("bishop", "1,1*"),
    ("nightrider", "1,2*"),
    ("queen", "0,1*+1,1*"),
];

/// Sign behind the lengths of a rider.
const RIDES: char = '*';

/// Sign between the leapers of a piece.
const AND: char = '+';

impl Piece {
    /// Maximum number of leapers.
    pub const MOST: usize = 4;
    /// The chess knight.
    pub const KNIGHT: Self = Self([Leaper::KNIGHT, Leaper::NONE, Leaper::NONE, Leaper::NONE]);

    /// Returns the piece with these leapers; `None` if there are none, or more than [`Piece::MOST`] different ones.
    pub fn new(leapers: &[Leaper]) -> Option<Self> {
        if let [only] = leapers {
            return Some((*only).into());
        }
        let mut sorted: Vec<_> = leapers.iter().map(|leaper| leaper.sorted()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.is_empty() || sorted.len() > Self::MOST {
            return None;
        }
        let mut set = [Leaper::NONE; Self::MOST];
        for (place, leaper) in set.iter_mut().zip(sorted) {
            *place = leaper;
        }
        Some(Self(set))
    }

    /// Returns the piece with this name.
    pub fn named(name: &str) -> Option<Self> {
        let (_, lengths) = NAMED.iter().find(|(known, _)| *known == name)?;
        lengths.parse().ok()
    }

    /// Returns the names of all pieces that have names.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// Returns the name of this piece, if any.
    pub fn name(self) -> Option<&'static str> {
        let own = self.lengths();
        let found = NAMED.iter().find(|(_, lengths)| *lengths == own);
        found.map(|(name, _)| *name)
    }

    /// Returns the leapers that make up the piece.
    pub fn leapers(self) -> impl Iterator<Item = Leaper> + Clone {
        self.0.into_iter().filter(|&leaper| leaper != Leaper::NONE)
    }

    /// Returns the leaper of a piece that consists of one leaper that does not ride; `None` for other pieces.
    pub fn leaper(self) -> Option<Leaper> {
        let [leaper, second, ..] = self.0;
        (second == Leaper::NONE && !leaper.rides).then_some(leaper)
    }

    /// True if the piece repeats a jump any number of times. The lengths of its jumps then depend on the board.
    pub fn rides(self) -> bool {
        self.leapers().any(|leaper| leaper.rides)
    }

    /// Returns the jumps as pairs of row and column offsets, in increasing order. Each jump occurs once. The jumps of
    /// riders go at most `reach` rows or columns far.
    pub fn jumps(self, reach: u64) -> impl Iterator<Item = (i64, i64)> + use<> {
        let lengths = self.leapers().flat_map(|leaper| leaper.lengths(reach));
        let turned = lengths.flat_map(|(a, b)| [(a, b), (b, a)]);
        let mut all: Vec<_> = turned.flat_map(|(r, c)| [(r, c), (r, -c), (-r, c), (-r, -c)]).collect();
        all.sort_unstable();
        // A jump occurs several times if a = 0 or a = b, and riders repeat jumps of others.
        all.dedup();
        all.into_iter()
    }

    /// Returns the lengths of the jumps, such as `0,1+1,1` for the king and `0,1*` for the rook. Parsing the text returns
    /// the same piece.
    pub fn lengths(self) -> String {
        let each = self.leapers().map(|Leaper { a, b, rides }| format!("{a},{b}{}", if rides { "*" } else { "" }));
        each.collect::<Vec<_>>().join("+")
    }

    /// Returns the name, or [`Piece::lengths`] if the piece has no name. Parsing the text returns the same piece.
    pub fn to_text(self) -> String {
        self.name().map_or_else(|| self.lengths(), str::to_owned)
    }

    /// Parses the noun that `Display` writes for a piece, or the name of a piece. Returns `None` for other texts.
    pub fn called(text: &str) -> Option<Self> {
        match text.strip_prefix('(') {
            Some(lengths) => {
                let lengths = lengths.strip_suffix(")-leaper")?.replace(")+(", "+");
                let is_set = lengths.bytes().all(|b| b.is_ascii_digit() || b",+*".contains(&b));
                is_set.then(|| lengths.parse().ok()).flatten()
            }
            None => Self::named(text),
        }
    }
}

impl From<Leaper> for Piece {
    fn from(leaper: Leaper) -> Self {
        Self([leaper, Leaper::NONE, Leaper::NONE, Leaper::NONE])
    }
}

impl FromStr for Piece {
    type Err = PieceError;

    /// Parses names of pieces and leapers such as `1,2`, with plus signs between them.
    fn from_str(text: &str) -> Result<Self, PieceError> {
        let mut leapers = Vec::new();
        for part in text.split(AND) {
            match Self::named(part) {
                Some(piece) => leapers.extend(piece.leapers()),
                None if part.contains(|c: char| c.is_alphabetic()) => {
                    let hint = instead(part, &Self::names().collect::<Vec<_>>().join(", "));
                    return Err(PieceError(format!(
                        "unknown piece \"{part}\"{hint}, or write the lengths of a jump as A,B"
                    )));
                }
                None => leapers.push(part.parse()?),
            }
        }
        let too_many = || format!("\"{text}\" has more than {} leapers; remove some of them", Self::MOST);
        Self::new(&leapers).ok_or_else(|| PieceError(too_many()))
    }
}

/// Writes the noun for the piece in sentences: `knight`, `(2,3)-leaper`, `king`, or `(1,2)+(1,4)-leaper`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.leaper(), self.name()) {
            (Some(leaper), _) => leaper.fmt(f),
            (None, Some(name)) => f.write_str(name),
            (None, None) => write!(f, "({})-leaper", self.lengths().replace(AND, ")+(")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str) -> Piece {
        text.parse().unwrap()
    }

    #[test]
    fn leapers_are_two_numbers() {
        assert_eq!("1,2".parse(), Ok(Leaper::KNIGHT));
        assert_eq!("0,3".parse::<Leaper>().unwrap().legs(), (0, 3));
        for text in ["0,0", "1", "1,", "1,2,3", "+1,2", "1, 2", "1,99999999999"] {
            let error = text.parse::<Leaper>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("\"{text}\" is not a leaper")));
        }
    }

    #[test]
    fn a_king_has_eight_unit_steps() {
        let jumps: Vec<_> = piece("king").jumps(8).collect();
        let steps = (-1..=1).flat_map(|r| (-1..=1).map(move |c| (r, c)));
        assert_eq!(jumps, steps.filter(|&step| step != (0, 0)).collect::<Vec<_>>());
        assert_eq!(piece("fiveleaper").jumps(8).count(), 12);
    }

    #[test]
    fn riders_repeat_their_jumps_within_the_board() {
        assert_eq!(piece("rook").jumps(4).count(), 4 * 4);
        assert_eq!(piece("queen").jumps(4).count(), 8 * 4);
        assert_eq!(piece("nightrider").jumps(5).count(), 8 * 2);
        // The jumps (0, 2) are among those of the rook.
        assert_eq!(piece("rook+dabbaba").jumps(3).count(), 4 * 3);
        assert_eq!(piece("rook").leaper(), None);
        assert!(piece("rook").rides() && !piece("king").rides());
    }

    #[test]
    fn every_name_is_of_one_piece_and_is_written_as_it_is_read() {
        for (name, lengths) in NAMED {
            let named = piece(name);
            assert_eq!(named.name(), Some(*name));
            assert_eq!(named.to_text(), *name);
            assert_eq!(piece(&named.lengths()), named);
            assert_eq!(named.lengths(), *lengths, "{name}");
            assert_eq!(Piece::called(&named.to_string()), Some(named));
            assert_eq!(Piece::called(name), Some(named));
        }
        assert_eq!(piece("knight"), Piece::KNIGHT);
    }

    #[test]
    fn sets_of_leapers_have_one_form() {
        for (text, same, said) in [
            ("2,1+1,2", "knight", "knight"),
            ("1,1+1,0", "king", "king"),
            ("ferz+wazir+king", "king", "king"),
            ("0,1", "wazir", "(0,1)-leaper"),
            ("2,1", "2,1", "(2,1)-leaper"),
            ("4,1+2,1", "1,2+1,4", "(1,2)+(1,4)-leaper"),
            ("gnu+zebra", "buffalo", "buffalo"),
        ] {
            assert_eq!(piece(text), piece(same));
            assert_eq!(piece(text).to_text(), same);
            assert_eq!(piece(text).to_string(), said);
            assert_eq!(Piece::called(said), Some(piece(text)));
        }
        assert_eq!(Piece::new(&[]), None);
        for text in ["pawn", "(1,2)", "(1,2)-rider", "(king)-leaper", "1,2", ""] {
            assert_eq!(Piece::called(text), None, "{text}");
        }
        for (text, message) in [
            ("kng", "unknown piece \"kng\": did you mean king? Choose from knight, wazir, "),
            ("", "\"\" is not a leaper"),
            ("king+", "\"\" is not a leaper"),
            ("king+0,0", "\"0,0\" is not a leaper"),
            ("buffalo+king", "\"buffalo+king\" has more than 4 leapers"),
        ] {
            let error = text.parse::<Piece>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
