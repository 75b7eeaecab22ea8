//! `fives serve`: the service itself.

use clap::Args;
use fives_server::config::ServeArgs;

use crate::failure::Failure;

const EXAMPLES: &str = "\
Serve on this machine alone, matches kept in ./data:

  $ fives serve

Serve to everybody, with JSON logs:

  $ fives serve --listen 0.0.0.0:7400 --data /var/lib/fives --log-format json

The same over TLS; the files may be replaced while it runs:

  $ fives serve --listen 0.0.0.0:443 --tls-cert /etc/fives/tls.crt --tls-key /etc/fives/tls.key

With queues of your own for matchmaking; chapter Integrate of the README shows the file:

  $ fives serve --queues queues.json

Every flag can be given as a variable, as in FIVES_LISTEN=0.0.0.0:7400.";

/// Serve matches over gRPC and gRPC-Web
///
/// Keeps everything in one folder that no other process may use at the same time. SIGTERM and Ctrl-C stop it gracefully:
/// streams are told to resume, calls under way are finished.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(flatten)]
    args: ServeArgs,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        fives_server::run(self.args.clone()).map_err(|error| Failure::Serve(Box::new(error)))
    }
}
