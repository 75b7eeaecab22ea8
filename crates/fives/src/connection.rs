//! How the commands that need a server reach it.

use std::future::Future;

use clap::Args;
use fives_client::{Client, v1};

use crate::failure::Failure;

/// Which server, and as whom.
#[derive(Debug, Args)]
pub(crate) struct ServerFlags {
    /// The server
    #[arg(
        long,
        value_name = "URL",
        env = "FIVES_SERVER",
        default_value = "http://127.0.0.1:7400"
    )]
    pub(crate) server: String,

    /// The name that others see
    #[arg(long, value_name = "NAME", env = "FIVES_NAME", default_value = "guest")]
    pub(crate) name: String,

    /// A secret of yours, 16 to 128 characters, that makes you the same player the next time
    #[arg(long, value_name = "SECRET", env = "FIVES_DEVICE_KEY", hide_env_values = true)]
    pub(crate) device_key: Option<String>,
}

impl ServerFlags {
    /// A client that has not signed in: enough for what strangers may see.
    pub(crate) fn stranger(&self) -> Result<Client, Failure> {
        Ok(Client::connect_lazy(&self.server)?)
    }

    /// A client that has signed in.
    pub(crate) async fn sign_in(&self) -> Result<(Client, v1::Player), Failure> {
        let client = self.stranger()?;
        let player = client.sign_in(&self.name, self.device_key.as_deref()).await?;
        Ok((client, player))
    }

    /// A client that has signed in if a device key says as whom, otherwise a stranger's.
    pub(crate) async fn returning(&self) -> Result<Client, Failure> {
        match self.device_key {
            Some(_) => Ok(self.sign_in().await?.0),
            None => self.stranger(),
        }
    }
}

/// Runs a command that talks to a server.
pub(crate) fn block_on<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::file("the runtime"))?;
    let done = runtime.block_on(command);
    // A read of the terminal may still be waiting; nothing of ours is.
    runtime.shutdown_background();
    done
}
