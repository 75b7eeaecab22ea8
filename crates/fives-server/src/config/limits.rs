//! How much one player, one address and one match may have of the service.

use std::net::IpAddr;

use clap::Args;
use clap::builder::BoolishValueParser;
use ipnet::IpNet;

/// Shares: each 0 means no limit.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
#[command(
    next_help_heading = "Shares (0: no limit; what is over is refused with RATE_LIMITED unless it says otherwise)"
)]
pub struct Limits {
    /// Calls of a player a second; twice as many at once
    #[arg(long, env = "FIVES_PLAYER_CALLS_PER_S", value_name = "CALLS", default_value_t = 30)]
    pub player_calls_per_s: u32,

    /// Matches that a player may make a minute
    #[arg(
        long,
        env = "FIVES_PLAYER_MATCHES_PER_MIN",
        value_name = "MATCHES",
        default_value_t = 30
    )]
    pub player_matches_per_min: u32,

    /// Calls from an address a second, with a token or without; twice as many at once. A school or a mobile network is one address
    #[arg(long, env = "FIVES_ADDRESS_CALLS_PER_S", value_name = "CALLS", default_value_t = 500)]
    pub address_calls_per_s: u32,

    /// Sign-ins from an address a minute
    #[arg(
        long,
        env = "FIVES_ADDRESS_SIGN_INS_PER_MIN",
        value_name = "SIGN_INS",
        default_value_t = 120
    )]
    pub address_sign_ins_per_min: u32,

    /// Plays and other changes of a match a second, by all players together; twice as many at once
    #[arg(long, env = "FIVES_MATCH_WRITES_PER_S", value_name = "WRITES", default_value_t = 30)]
    pub match_writes_per_s: u32,

    /// Streams of a player open at once; more are refused with TOO_MANY_STREAMS
    #[arg(
        long,
        env = "FIVES_MAX_STREAMS_PER_PLAYER",
        value_name = "STREAMS",
        default_value_t = 50
    )]
    pub max_streams_per_player: usize,

    /// Streams without a token open at once from an address; more are refused with TOO_MANY_STREAMS
    #[arg(
        long,
        env = "FIVES_MAX_STREAMS_PER_ADDRESS",
        value_name = "STREAMS",
        default_value_t = 200
    )]
    pub max_streams_per_address: usize,

    /// Tables of a creator that wait for players; more are refused with TOO_MANY_TABLES
    #[arg(
        long,
        env = "FIVES_MAX_OPEN_TABLES_PER_PLAYER",
        value_name = "TABLES",
        default_value_t = 10
    )]
    pub max_open_tables_per_player: usize,

    /// Emotes of a player at a match a minute; four at once
    #[arg(
        long,
        env = "FIVES_PLAYER_EMOTES_PER_MIN",
        value_name = "EMOTES",
        default_value_t = 20
    )]
    pub player_emotes_per_min: u32,

    /// Wrong invite codes of a player a minute; after that not even a right one is looked at for a while
    #[arg(
        long,
        env = "FIVES_PLAYER_WRONG_CODES_PER_MIN",
        value_name = "CODES",
        default_value_t = 10
    )]
    pub player_wrong_codes_per_min: u32,

    /// Wrong invite codes from an address a minute
    #[arg(
        long,
        env = "FIVES_ADDRESS_WRONG_CODES_PER_MIN",
        value_name = "CODES",
        default_value_t = 60
    )]
    pub address_wrong_codes_per_min: u32,

    /// None of these limits: for load tests, or behind something that has its own
    #[arg(long, env = "FIVES_NO_SHARES", value_parser = BoolishValueParser::new())]
    pub no_shares: bool,

    /// Load balancers, by address or network as in `10.0.0.0/8`, divided by commas: only these may name the address of a client, by
    /// x-forwarded-for [default: nobody]
    #[arg(
        long,
        env = "FIVES_TRUSTED_PROXIES",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub trusted_proxies: Vec<IpNet>,
}

impl Limits {
    /// The same without any shares if that was asked for.
    pub(super) fn resolved(&self) -> Self {
        match self.no_shares {
            false => self.clone(),
            true => Self::none(self.trusted_proxies.clone()),
        }
    }

    /// No shares at all.
    #[must_use]
    pub const fn none(trusted_proxies: Vec<IpNet>) -> Self {
        Self {
            player_calls_per_s: 0,
            player_matches_per_min: 0,
            address_calls_per_s: 0,
            address_sign_ins_per_min: 0,
            match_writes_per_s: 0,
            max_streams_per_player: 0,
            max_streams_per_address: 0,
            max_open_tables_per_player: 0,
            player_emotes_per_min: 0,
            player_wrong_codes_per_min: 0,
            address_wrong_codes_per_min: 0,
            no_shares: true,
            trusted_proxies,
        }
    }
}

/// A network, or the one address in it.
fn network(text: &str) -> Result<IpNet, String> {
    let alone = || text.parse().map(|address: IpAddr| IpNet::from(address));
    text.parse()
        .or_else(|_| alone())
        .map_err(|_| "neither an address nor a network as in 10.0.0.0/8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_networks_or_addresses() {
        assert_eq!(
            network("10.0.0.0/8").map(|network| network.to_string()),
            Ok("10.0.0.0/8".to_owned())
        );
        assert_eq!(
            network("::1").map(|network| network.to_string()),
            Ok("::1/128".to_owned())
        );
        assert!(network("example.org").is_err());
    }
}
