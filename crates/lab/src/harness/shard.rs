//! Shards: parts of an experiment that run separately, on other processors or machines.
//!
//! Of `n` shards, shard `k` has the jobs at positions `k`, `k + n`, `k + 2n` and so on in the experiment's list, where
//! positions and shards count from 1. Neighbouring jobs are usually alike and go to different shards, so all shards
//! take about equally long. Every job is in exactly one shard. The files of a shard have the name `NAME.shard-K-of-N`.

use std::fmt;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;

use crate::LabError;

/// Part of an experiment that runs separately.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    // The order of fields matters: sorting keeps shards of one division together.
    of: NonZeroU32,
    /// Number of this shard, from 1 to `of`.
    number: NonZeroU32,
}

impl Shard {
    /// Parses the number of a shard, which begins with 1, and the number of shards; `None` if there is no such shard.
    fn parse(number: &str, of: &str) -> Option<Self> {
        let (number, of) = (number.parse().ok()?, of.parse().ok()?);
        (number <= of).then_some(Self { of, number })
    }

    /// Returns all `of` shards in order.
    pub fn all(of: NonZeroU32) -> impl Iterator<Item = Self> {
        (1..=of.get()).filter_map(NonZeroU32::new).map(move |number| Self { of, number })
    }

    /// Returns the number of this shard, 1-based.
    pub fn number(self) -> u32 {
        self.number.get()
    }

    /// Returns the number of shards in the division.
    pub fn of(self) -> NonZeroU32 {
        self.of
    }

    /// Returns the items of a list that belong to this shard.
    pub fn part<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let at = |number: NonZeroU32| number.get() as usize;
        let before = at(self.number) - 1;
        items.into_iter().skip(before).step_by(at(self.of))
    }

    /// Returns the name of this shard's files, without the extension. `whole` is the name of the whole experiment.
    pub fn name(self, whole: &str) -> String {
        let Self { of, number } = self;
        format!("{whole}{SHARD}{number}{OF}{of}")
    }

    /// Splits the name of a shard's files into the name of the whole experiment and the shard; `None` for other names.
    pub fn of_name(name: &str) -> Option<(&str, Self)> {
        let (whole, _) = name.rsplit_once(SHARD)?;
        Some((whole, Self::of_file(&format!("{name}.csv"), whole)?))
    }

    /// Returns the shard whose rows are in a file with this name, complete or not; `None` for other files.
    fn of_file(file: &str, whole: &str) -> Option<Self> {
        let rest = file.strip_prefix(whole)?.strip_prefix(SHARD)?;
        let (number, of) = ENDINGS.iter().find_map(|ending| rest.strip_suffix(ending))?.split_once(OF)?;
        let shard = Self::parse(number, of)?;
        // Rejects leading zeros, which file names of shards do not have.
        (shard.name(whole) == format!("{whole}{SHARD}{number}{OF}{of}")).then_some(shard)
    }

    /// Returns the shards of an experiment that have rows in a folder, complete or not, in order.
    ///
    /// # Errors
    ///
    /// The folder is unreadable. A missing folder is not an error and has no shards.
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
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        let shard = text.split_once('/').and_then(|(number, of)| Self::parse(number, of));
        shard.ok_or_else(|| {
            LabError::new(format_args!("\"{text}\" is not a shard; write K/N for the K-th of N, such as 1/4"))
        })
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
        assert_eq!("2/3".parse::<Shard>().unwrap().part(1..=8).collect::<Vec<_>>(), [2, 5, 8]);
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
        for wrong in ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b", "1 / 4"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        for wrong in ["a.csv", "a.shard-5-of-4.csv", "a.shard-01-of-4.csv", "a.shard-1-of-4.md"] {
            assert_eq!(Shard::of_file(wrong, "a"), None, "{wrong}");
        }
    }
}
