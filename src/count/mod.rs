//! How many tours there are.

pub mod enumerate;
pub mod projected;
