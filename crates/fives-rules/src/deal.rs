//! `fives-deal/1`: a deal that follows from seeds committed to before anybody adds entropy (law 8).
//!
//! Everything is big-endian; `‖` joins bytes; HMAC is HMAC-SHA256 with the key first.
//!
//! ```text
//! commitment      = SHA-256(master)                 master: 32 random bytes, committed to before any entropy is accepted
//! entropy(seat)   = 0 to 32 bytes of the player     public as soon as it is given; none for bots
//! seed(n)         = HMAC(master, "fives-deal/1" ‖ u32(n) ‖ for each seat: u8(length) ‖ entropy)     n = round, from 0
//! commitment(n)   = SHA-256(seed(n))                shown with the deal
//! stream(n)       = HMAC(seed(n), u64(0)) ‖ HMAC(seed(n), u64(1)) ‖ …      read as u32 after u32
//! below(n)        = next u32 x, skipped while x >= 2^32 - (2^32 mod n); x mod n
//! deck            = 0-0, 1-0, 1-1, 2-0 … 6-6; for i = 27 … 1: swap i and below(i + 1)
//! hands           = seat s gets the s-th block of hand size tiles; the rest is the boneyard, drawn from its front
//! starter         = below(seats) from the same stream after the deck, where R8 / R9 ask for one
//! reveal          = seed(n) when round n is over, master when the match is
//! ```
//!
//! To check a finished match: hash the master and compare with the commitment shown before the match; derive
//! each seed, hash it and compare with the commitment shown with its deal; shuffle and compare the tiles.
//! `tests/deal/` has test vectors and a second implementation in Python.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::options::MatchOptions;
use crate::seat::{BySeat, Players, Seat};
use crate::tile::{Tile, TileList};

/// The name of this way to deal, as records and clients see it.
pub const ALGORITHM: &str = "fives-deal/1";

/// What a bot's random numbers are derived under, so that they never meet a deal's.
const BOT_CONTEXT: &[u8] = b"fives-bot/1";

/// Declares a 32-byte secret that prints nothing of itself.
macro_rules! secret {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Takes the bytes for what they are said to be.
            #[must_use]
            pub const fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes. Who shows them reveals them.
            #[must_use]
            pub const fn reveal(&self) -> &[u8; 32] {
                &self.0
            }

            /// SHA-256 of it: what is shown before it is revealed.
            #[must_use]
            pub fn commitment(&self) -> Commitment {
                Commitment(Sha256::digest(self.0).into())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(secret)"))
            }
        }
    };
}

secret! {
    /// The 32 random bytes that all deals of a match follow from. Secret until the match is over.
    Master
}

secret! {
    /// What one deal follows from. Secret until its round is over; tells nothing of other rounds.
    Seed
}

/// SHA-256 of a [`Master`] or a [`Seed`]: public, and binding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

/// Up to 32 bytes that a player adds to the deals of a match. Public.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Entropy {
    bytes: [u8; Self::MAX_LEN],
    len: u8,
}

impl Entropy {
    /// The most bytes a player can give.
    pub const MAX_LEN: usize = 32;
    /// No bytes: bots, and players who leave it to the master.
    pub const NONE: Self = Self {
        bytes: [0; Self::MAX_LEN],
        len: 0,
    };

    /// These bytes, or `None` if they are more than 32.
    #[must_use]
    pub fn new(given: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::MAX_LEN];
        bytes.get_mut(..given.len())?.copy_from_slice(given);
        Some(Self {
            bytes,
            len: given.len() as u8,
        })
    }

    /// The bytes as they were given.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entropy({})", data_encoding::HEXLOWER.encode(self.as_bytes()))
    }
}

/// All that the deals of one match follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fairness {
    /// The server's part.
    pub master: Master,
    /// The players' part, by seat.
    pub entropies: BySeat<Entropy>,
}

impl Fairness {
    /// The seed of `round` (from 0) of a match with this many seats.
    #[must_use]
    pub fn seed(&self, players: Players, round: u32) -> Seed {
        let mut mac = keyed(self.master.reveal());
        mac.update(ALGORITHM.as_bytes());
        mac.update(&round.to_be_bytes());
        for seat in players.seats() {
            let entropy = &self.entropies[seat];
            mac.update(&[entropy.len]);
            mac.update(entropy.as_bytes());
        }
        Seed(mac.finalize().into_bytes().into())
    }

    /// The random numbers of the bot in `seat` for its decision that makes `revision`: replicas that race agree (law 7).
    #[must_use]
    pub fn bot_stream(&self, seat: Seat, revision: u64) -> Stream {
        let mut mac = keyed(self.master.reveal());
        mac.update(BOT_CONTEXT);
        mac.update(&[seat.index() as u8]);
        mac.update(&revision.to_be_bytes());
        Stream::new(mac.finalize().into_bytes().into())
    }
}

/// HMAC-SHA256 under a 32-byte key, which the construction pads with zeros to its block.
fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    Hmac::new(&block.into())
}

/// The random numbers that follow from a seed.
pub struct Stream {
    mac: Hmac<Sha256>,
    block: [u8; 32],
    next_block: u64,
    used: usize,
}

impl Stream {
    /// The stream under `key`, from its beginning.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            mac: keyed(&key),
            block: [0; 32],
            next_block: 0,
            used: 32,
        }
    }

    fn next_u32(&mut self) -> u32 {
        if self.used == self.block.len() {
            let mut mac = self.mac.clone();
            mac.update(&self.next_block.to_be_bytes());
            self.block = mac.finalize().into_bytes().into();
            self.next_block += 1;
            self.used = 0;
        }
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.block[self.used..self.used + 4]);
        self.used += 4;
        u32::from_be_bytes(bytes)
    }

    /// A number below `n`, each equally likely; 0 where `n` is 0 or 1.
    pub fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let unbiased = (1 << 32) - (1_u64 << 32) % n;
        loop {
            let x = u64::from(self.next_u32());
            if x < unbiased {
                return (x % n) as u32;
            }
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream(secret)")
    }
}

/// The 28 tiles in the order in which a round deals them: hands first, then the boneyard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deck([Tile; Tile::COUNT]);

impl Deck {
    /// The shuffled tiles.
    #[must_use]
    pub fn shuffled(stream: &mut Stream) -> Self {
        let mut tiles = Tile::ALL;
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, stream.below(i as u32 + 1) as usize);
        }
        Self(tiles)
    }

    /// A deck in this order, or `None` unless each tile is there once.
    #[must_use]
    pub fn new(tiles: [Tile; Tile::COUNT]) -> Option<Self> {
        let distinct = tiles.into_iter().collect::<crate::tile::TileSet>().len() == Tile::COUNT;
        distinct.then_some(Self(tiles))
    }

    /// All 28 tiles in order.
    #[must_use]
    pub const fn tiles(&self) -> &[Tile; Tile::COUNT] {
        &self.0
    }

    /// The tiles dealt to `seat`, in the order dealt; none to a seat that the match does not have: what would be its block
    /// is boneyard.
    #[must_use]
    pub fn hand(&self, seat: Seat, options: &MatchOptions) -> &[Tile] {
        if !options.players().has(seat) {
            return &[];
        }
        let size = options.hand_size();
        &self.0[seat.index() * size..][..size]
    }

    /// The tiles that are not dealt; the first is drawn first.
    #[must_use]
    pub fn boneyard(&self, options: &MatchOptions) -> TileList {
        self.0[options.players().count() * options.hand_size()..]
            .iter()
            .copied()
            .collect()
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deck(secret)")
    }
}

/// What a seed gives: the order of the tiles and, where R8 / R9 ask for one, a starter by lot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The tiles.
    pub deck: Deck,
    /// The seat that chance would have start. Drawn after the deck, so a round that needs none is dealt the same.
    pub starter: Seat,
}

impl Deal {
    /// The deal that follows from `seed`.
    #[must_use]
    pub fn from_seed(seed: &Seed, players: Players) -> Self {
        let mut stream = Stream::new(*seed.reveal());
        let deck = Deck::shuffled(&mut stream);
        let lot = stream.below(players.count() as u32) as usize;
        Self {
            deck,
            starter: Seat::ALL[lot],
        }
    }
}
