//! `fives health`: asks a server whether it is ready, for machines that start and stop it.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use fives_client::RetryPolicy;

use crate::connection::{ServerFlags, block_on};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Is a server ready? (Without --server: the one of `make run`.)

  $ fives health --server http://127.0.0.1:7400

As the health check of a container, which has no shell and no curl:

  HEALTHCHECK CMD [\"/usr/local/bin/fives\", \"health\"]

Exit code 0 if it is, 1 if it is not or does not answer.";

/// Ask a server whether it is ready: not stopping, and its store works
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Health {
    /// How long it may take to say so, in milliseconds
    #[arg(
        long,
        value_name = "MS",
        default_value = "2000",
        value_parser = RangedU64ValueParser::<u64>::new().range(1..=600_000)
    )]
    timeout_ms: u64,

    #[command(flatten)]
    server: ServerFlags,
}

impl Health {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let timeout = Duration::from_millis(self.timeout_ms);
        // One try: whoever asks will ask again.
        let policy = RetryPolicy {
            give_up_after: timeout,
            try_timeout: timeout,
            first_wait: 2 * timeout,
            longest_wait: 2 * timeout,
        };
        block_on(async {
            match self.server.stranger()?.with_policy(policy).is_ready().await {
                Ok(true) => Ok(writeln!(out, "ready")?),
                Ok(false) => Err(Failure::Fault(
                    "not ready: it is stopping, or its store does not answer".to_owned(),
                )),
                Err(error) if error.is_passing() => Err(Failure::Fault(error.to_string())),
                Err(error) => Err(error.into()),
            }
        })
    }
}
