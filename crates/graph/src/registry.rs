//! Lists that other crates can extend. A list has built-in entries; entries that a program registers at run time follow
//! them, and are then known in the whole process. Names, help, completion and tests are derived from the lists.

use std::sync::{PoisonError, RwLock};

use crate::names::NoSuchName;

/// Entry of a list, with a unique name.
pub trait Entry: Clone + Send + Sync + 'static {
    /// Noun for an entry in messages, such as `graph format`.
    const OF: &'static str;

    /// Returns the name, which the user types.
    fn name(&self) -> &str;
}

/// List of entries, which other crates can extend.
pub struct Registry<T: 'static> {
    built_in: fn() -> &'static [T],
    registered: RwLock<Vec<T>>,
}

/// Reason why an entry cannot be registered, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RegisterError(String);

impl<T: Entry> Registry<T> {
    /// Creates a list with these built-in entries.
    pub const fn new(built_in: fn() -> &'static [T]) -> Self {
        Self { built_in, registered: RwLock::new(Vec::new()) }
    }

    /// Returns the built-in entries.
    pub fn built_in(&self) -> &'static [T] {
        (self.built_in)()
    }

    /// Returns all entries: the built-in ones, then the registered ones.
    pub fn all(&self) -> Vec<T> {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in().iter().chain(registered.iter()).cloned().collect()
    }

    /// Returns the entry with this name.
    pub fn named(&self, name: &str) -> Option<T> {
        self.all().into_iter().find(|entry| entry.name() == name)
    }

    /// Returns the entry with this name.
    ///
    /// # Errors
    ///
    /// [`NoSuchName`] if no entry has the name. The error lists the valid names.
    pub fn find(&self, name: &str) -> Result<T, NoSuchName> {
        self.named(name).ok_or_else(|| {
            let all = self.all();
            let known: Vec<_> = all.iter().map(T::name).collect();
            NoSuchName { of: T::OF, name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Adds an entry of another crate.
    ///
    /// # Errors
    ///
    /// [`RegisterError`] if the name is invalid or taken.
    pub fn register(&self, entry: T) -> Result<(), RegisterError> {
        let name = entry.name();
        let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_valid) {
            let advice = "use a letter, then letters, digits and dashes";
            return Err(RegisterError(format!("\"{name}\" is not a valid name; {advice}")));
        }
        if self.named(name).is_some() {
            return Err(RegisterError::taken(&entry));
        }
        self.registered.write().unwrap_or_else(PoisonError::into_inner).push(entry);
        Ok(())
    }
}

impl RegisterError {
    /// Returns the error for an entry whose name is taken.
    pub fn taken<T: Entry>(entry: &T) -> Self {
        Self(format!("the {} \"{}\" already exists", T::OF, entry.name()))
    }
}
