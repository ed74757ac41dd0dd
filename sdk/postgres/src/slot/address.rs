//! Where a slot's database is, and how its connections are opened.

use tokio_postgres::Config;

use super::failure::Failure;
use crate::failure::Failure as Common;

/// What each connection is opened with. Texts are read as the list of what is allowed reads them; a statement has one process, and
/// its plan does not wait for a compiler.
const SETTINGS: &str = "-c standard_conforming_strings=on -c search_path=public -c TimeZone=UTC -c DateStyle=ISO \
                        -c IntervalStyle=iso_8601 -c extra_float_digits=1 -c max_parallel_workers_per_gather=0 -c jit=off \
                        -c statement_timeout=10s -c idle_in_transaction_session_timeout=10s";

/// Where a slot's database is, with the slot's role and its password.
#[derive(Clone)]
pub struct Address {
    config: Config,
}

impl Address {
    /// The database of this name at the server of an address such as `postgresql://user:password@host/name`, as the role of the
    /// same name.
    pub fn of_slot(server: &str, name: &str, password: &str) -> Result<Self, Failure> {
        let mut config = parse(server)?;
        config.user(name).password(password).dbname(name);
        Ok(Self { config })
    }

    pub(super) fn for_reads(&self) -> Config {
        self.with("-c default_transaction_read_only=on")
    }

    pub(super) fn for_writes(&self) -> Config {
        self.with("-c default_transaction_read_only=off")
    }

    fn with(&self, setting: &str) -> Config {
        let mut config = self.config.clone();
        let own = config.get_options().unwrap_or_default();
        let options = format!("{own} {SETTINGS} {setting}");
        config.options(options);
        config
    }
}

/// Reads an address. What is wrong with it is not told further: the text may hold a password.
pub(super) fn parse(address: &str) -> Result<Config, Failure> {
    Ok(address.parse().map_err(|_| Common::Address)?)
}
