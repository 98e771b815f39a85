//! A shard: a part of an experiment that is run by itself, on another processor or another machine.
//!
//! Of `n` shards the one of number `k` has the jobs at the positions `k`, `k + n`, `k + 2n` and so on of the experiment's
//! list, which counts from 1: so neighbours, which are alike as a rule, go to different shards, and these take about the
//! same time. Every job is in just one shard. Rows of a shard are kept under a name of their own, `NAME.shard-K-of-N`.

use std::fmt;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;

/// One of several parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    // In this order, so that those of one number of shards stand together.
    of: NonZeroU32,
    /// At most `of`.
    number: NonZeroU32,
}

/// Numbers or a text that are no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a shard is K/N, the K-th of N, such as 1/4, and '{0}' is not")]
pub struct NotAShard(String);

impl Shard {
    /// The shard of a number, from 1, of so many.
    ///
    /// # Errors
    ///
    /// [`NotAShard`]: a number that is 0 or more than there are.
    pub fn new(number: u32, of: u32) -> Result<Self, NotAShard> {
        match (NonZeroU32::new(number), NonZeroU32::new(of)) {
            (Some(number), Some(of)) if number <= of => Ok(Self { of, number }),
            _ => Err(NotAShard(format!("{number}/{of}"))),
        }
    }

    /// All of so many, in order.
    pub fn all(of: NonZeroU32) -> impl Iterator<Item = Self> {
        let numbers = (1..=of.get()).filter_map(NonZeroU32::new);
        numbers.map(move |number| Self { of, number })
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number.get()
    }

    /// How many there are.
    #[must_use]
    pub fn of(self) -> NonZeroU32 {
        self.of
    }

    /// Of the items of a list, those that are its.
    pub fn part<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let at = |number: NonZeroU32| number.get() as usize;
        let before = at(self.number) - 1;
        items.into_iter().skip(before).step_by(at(self.of))
    }

    /// The name of its rows, where those of the whole have this name.
    #[must_use]
    pub fn name(self, whole: &str) -> String {
        let Self { of, number } = self;
        format!("{whole}{SHARD}{number}{OF}{of}")
    }

    /// The name of the whole and which shard it is, from the name of a shard.
    #[must_use]
    pub fn of_name(name: &str) -> Option<(&str, Self)> {
        let (whole, _) = name.rsplit_once(SHARD)?;
        Some((whole, Self::of_file(&format!("{name}.csv"), whole)?))
    }

    /// Which it is, by the name of a file of its rows, complete or not.
    fn of_file(file: &str, whole: &str) -> Option<Self> {
        let rest = file.strip_prefix(whole)?.strip_prefix(SHARD)?;
        let numbers = ENDINGS.iter().find_map(|ending| rest.strip_suffix(ending));
        let (number, of) = numbers?.split_once(OF)?;
        let shard = Self::new(number.parse().ok()?, of.parse().ok()?).ok()?;
        // Without noughts before, which it is not written with.
        (shard.name(whole) == format!("{whole}{SHARD}{number}{OF}{of}")).then_some(shard)
    }

    /// The shards of which a folder has rows, complete or not, in order.
    ///
    /// # Errors
    ///
    /// The folder cannot be read. One that is not there has none.
    pub fn in_folder(folder: &Path, whole: &str) -> io::Result<Vec<Self>> {
        let files = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut shards = Vec::new();
        for file in files {
            let name = file?.file_name();
            shards.extend(name.to_str().and_then(|name| Self::of_file(name, whole)));
        }
        shards.sort_unstable();
        shards.dedup();
        Ok(shards)
    }
}

const SHARD: &str = ".shard-";
const OF: &str = "-of-";
const ENDINGS: [&str; 2] = [".csv", ".csv.part"];

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let numbers = || {
            let (number, of) = text.split_once('/')?;
            Self::new(number.parse().ok()?, of.parse().ok()?).ok()
        };
        numbers().ok_or_else(|| NotAShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_shard() {
        for of in 1..=7 {
            for items in 0..20 {
                let all = Shard::all(NonZeroU32::new(of).unwrap());
                let mut parts: Vec<usize> = all.flat_map(|shard| shard.part(0..items)).collect();
                parts.sort_unstable();
                assert_eq!(parts, (0..items).collect::<Vec<_>>());
            }
        }
        let second = Shard::new(2, 3).unwrap();
        assert_eq!(second.part(1..=8).collect::<Vec<_>>(), [2, 5, 8]);
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        for shard in Shard::all(NonZeroU32::new(12).unwrap()) {
            assert_eq!(shard.to_string().parse(), Ok(shard));
            for ending in ENDINGS {
                let file = shard.name("a.b") + ending;
                assert_eq!(Shard::of_file(&file, "a.b"), Some(shard));
                assert_eq!(Shard::of_file(&file, "a"), None);
            }
        }
        for wrong in [
            "", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b", "1 / 4",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        for wrong in [
            "a.csv",
            "a.shard-5-of-4.csv",
            "a.shard-01-of-4.csv",
            "a.shard-1-of-4.md",
        ] {
            assert_eq!(Shard::of_file(wrong, "a"), None, "{wrong}");
        }
    }
}
