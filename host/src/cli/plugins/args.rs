//! Arguments that several commands share.

use clap::Args;

use crate::storage::slot_data::DataChoice;

/// An artifact, and what the operator says of it.
#[derive(Debug, Args)]
pub struct ArtifactArgs {
    /// A file, an address that starts with https:// (without a name or a password in it), or an artifact of a registry:
    /// oci://HOST/REPOSITORY:TAG
    pub source: String,
    #[command(flatten)]
    pub terms: Terms,
}

/// The same where the artifact may be left out.
#[derive(Debug, Args)]
pub struct OptionalArtifactArgs {
    /// A file, an address, or an artifact of a registry (see `install`); without it, from where the present one came
    pub source: Option<String>,
    #[command(flatten)]
    pub terms: Terms,
}

/// What the operator says of an artifact.
#[derive(Debug, Args)]
pub struct Terms {
    /// The hash that was announced for it: another artifact is refused
    #[arg(long, value_name = "HEX")]
    pub sha256: Option<String>,
    /// The publisher's minisign key (the second line of the .pub file): later updates are held to it
    #[arg(long, value_name = "KEY")]
    pub publisher: Option<String>,
    /// Where its signature is; without it, beside the plugin with `.minisig` added, or in the same artifact of a registry
    #[arg(long, value_name = "FILE|URL")]
    pub signature: Option<String>,
    /// Allow an address or a registry without https: others on the network can then change what arrives. Not needed for this
    /// machine itself
    #[arg(long)]
    pub plain_http: bool,
    /// Approve what it may do without being asked
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub data: DataArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What happens to the slot's data, where there is a choice.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// Give it a copy of the data of the plugin that fills the slot now, when it can take them over
    #[arg(long, group = "choice")]
    pub adopt_data: bool,
    /// Begin without data, though it could take over the present ones
    #[arg(long, group = "choice")]
    pub fresh_data: bool,
    /// Go back to the copy from before an update, without what was written since
    #[arg(long, group = "choice")]
    pub lose_writes: bool,
}

impl DataArgs {
    /// The choice, if there is one.
    pub fn choice(&self) -> Option<DataChoice> {
        let said = [
            (self.adopt_data, DataChoice::Adopt),
            (self.fresh_data, DataChoice::Fresh),
            (self.lose_writes, DataChoice::LoseWrites),
        ];
        said.into_iter().find_map(|(said, choice)| said.then_some(choice))
    }
}
