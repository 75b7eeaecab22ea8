//! The rulebook against RULES.md, against records of an independent model, and against its own laws.

// `cfg(test)` on each module tells clippy that its helpers, too, may unwrap.
#[cfg(test)]
mod deals;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod records;
#[cfg(test)]
mod support;
#[cfg(test)]
mod worked;

/// Searches and bots copy rounds by the million.
#[test]
fn a_round_is_copy_and_at_most_96_bytes() {
    const fn is_copy<T: Copy>() {}
    is_copy::<fives_rules::round::Round>();
    assert!(size_of::<fives_rules::round::Round>() <= 96);
}
