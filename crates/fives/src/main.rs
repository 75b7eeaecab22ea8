//! The command line of Fives.
fn main() {}
