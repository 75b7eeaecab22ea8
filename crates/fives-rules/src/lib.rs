//! The rulebook of All Fives: what is true, what is allowed, what follows, who may see it.
//!
//! Pure values and functions: no clock, no network, no randomness of its own. Rule numbers (`R20`, `A13`) are those of
//! RULES.md, laws those of DESIGN.md; both are summed up in the README.
//!
//! | to know | look at |
//! |---|---|
//! | tiles, hands, the boneyard | [`tile`] |
//! | seats, sides, partners | [`seat`] |
//! | what is on the table and what its ends count | [`layout`] |
//! | a play, the legal ones, why the others are refused | [`play`] |
//! | one deal | [`round`] |
//! | a whole match: `apply` and `fold` | [`game`] |
//! | what happened | [`event`] |
//! | plain data in, a valid game out | [`setup`] |
//! | how tiles are dealt so that it can be proved | [`deal`] |
//! | what a viewer may see | [`view`] |
//! | text | [`notation`], [`record`] |

pub mod deal;
pub mod event;
pub mod game;
pub mod layout;
pub mod notation;
pub mod options;
pub mod play;
pub mod record;
pub mod round;
pub mod score;
pub mod seat;
pub mod setup;
pub mod tile;
pub mod view;
