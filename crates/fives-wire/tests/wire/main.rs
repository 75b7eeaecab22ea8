//! The translator against the contract in `proto/fives/v1`: what it lets in, what it sends out, how it refuses.

// `cfg(test)` on each module tells clippy that its helpers, too, may unwrap.
#[cfg(test)]
mod accepted;
#[cfg(test)]
mod casters;
#[cfg(test)]
mod catalogue;
#[cfg(test)]
mod clocks;
#[cfg(test)]
mod encoded;
#[cfg(test)]
mod garbage;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod prints;
#[cfg(test)]
mod read_back;
#[cfg(test)]
mod refused;
#[cfg(test)]
mod refused_matches;
#[cfg(test)]
mod secrecy;
#[cfg(test)]
mod statuses;
#[cfg(test)]
mod support;
