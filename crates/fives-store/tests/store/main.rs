//! The embedded store from outside: the contract, what survives, and the bytes that are kept.

// `cfg(test)` on each module tells clippy that its helpers, too, may unwrap.
#[cfg(test)]
mod away;
#[cfg(test)]
mod child;
#[cfg(test)]
mod clocks;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod expiry;
#[cfg(test)]
mod failing_disk;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod garbage;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod ratings;
#[cfg(test)]
mod repair;
#[cfg(test)]
mod scenario;
