//! How the commands that need a server reach it.

use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};

use clap::Args;
use fives_client::{Client, Tls, v1};

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

    #[command(flatten)]
    pub(crate) tls: TlsFlags,

    /// The name that others see
    #[arg(long, value_name = "NAME", env = "FIVES_NAME", default_value = "guest")]
    pub(crate) name: String,

    /// A secret of yours, 16 to 128 characters, that makes you the same player the next time
    #[arg(long, value_name = "SECRET", env = "FIVES_DEVICE_KEY", hide_env_values = true)]
    pub(crate) device_key: Option<String>,
}

/// How an `https` server is reached.
#[derive(Debug, Args)]
pub(crate) struct TlsFlags {
    /// Root certificates (PEM) of an `https` server, instead of those that the web trusts
    #[arg(long, value_name = "FILE", env = "FIVES_CA")]
    ca: Option<PathBuf>,

    /// Certificate (PEM) to show to a server that asks for one
    #[arg(long, value_name = "FILE", env = "FIVES_CERT", requires = "key")]
    cert: Option<PathBuf>,

    /// Private key (PEM) of --cert
    #[arg(long, value_name = "FILE", env = "FIVES_KEY", requires = "cert")]
    key: Option<PathBuf>,
}

impl TlsFlags {
    /// What the files say.
    pub(crate) fn read(&self) -> Result<Tls, Failure> {
        let read = |path: &Path| fs::read(path).map_err(Failure::file(path.display()));
        let mut tls = Tls::default();
        if let Some(ca) = &self.ca {
            tls = tls.with_ca(read(ca)?);
        }
        if let (Some(cert), Some(key)) = (&self.cert, &self.key) {
            tls = tls.with_identity(read(cert)?, read(key)?);
        }
        Ok(tls)
    }
}

impl ServerFlags {
    /// A client that has not signed in: enough for what strangers may see.
    pub(crate) fn stranger(&self) -> Result<Client, Failure> {
        Ok(Client::connect_lazy_over(&self.server, &self.tls.read()?)?)
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
