//! Which process, and who asks.

use std::path::PathBuf;

use clap::Args;
use fives_client::AdminClient;

use crate::failure::Failure;

/// Which process, and who asks.
#[derive(Debug, Args)]
pub(super) struct AdminFlags {
    /// The admin port of the process
    #[arg(
        long,
        value_name = "URL",
        env = "FIVES_ADMIN_SERVER",
        default_value = "http://127.0.0.1:7401",
        global = true
    )]
    server: String,

    /// The file with the admin token, as the server has it
    #[arg(long, value_name = "FILE", env = "FIVES_ADMIN_TOKEN_FILE", global = true)]
    token_file: Option<PathBuf>,

    /// Who you are, for the audit [default: $USER]
    #[arg(long, value_name = "NAME", env = "FIVES_OPERATOR", global = true)]
    operator: Option<String>,

    /// Print the answer as JSON, in the words of fives.admin.v1
    #[arg(long, global = true)]
    pub(super) json: bool,
}

impl AdminFlags {
    pub(super) fn client(&self) -> Result<AdminClient, Failure> {
        let token = match &self.token_file {
            None => None,
            Some(path) => Some(std::fs::read_to_string(path).map_err(Failure::file(path.display()))?),
        };
        Ok(AdminClient::connect_lazy(
            &self.server,
            token.as_deref().map(str::trim_end),
        )?)
    }

    pub(super) fn operator(&self) -> Result<String, Failure> {
        let named = self.operator.clone().or_else(|| std::env::var("USER").ok());
        named
            .filter(|name| !name.is_empty())
            .ok_or_else(|| Failure::Usage("say who you are, for the audit: --operator NAME".to_owned()))
    }
}
