//! Where a slot's database is, and how its connections are opened.

use tokio_postgres::Config;

use super::failure::Failure;
use crate::failure::Failure as Common;

/// What each connection is set to. Texts are read as the list of what is allowed reads them; a statement has one process, and its
/// plan does not wait for a compiler.
const SETTINGS: &str = "
    SET standard_conforming_strings = on; SET search_path = public; SET TimeZone = 'UTC'; SET DateStyle = 'ISO';
    SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1; SET max_parallel_workers_per_gather = 0; SET jit = off;
    SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '10s'";

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

    /// As connections are opened.
    pub(super) fn config(&self) -> Config {
        self.config.clone()
    }
}

/// What each connection is set to: one for reads cannot write.
pub(super) fn settings(is_read_only: bool) -> String {
    format!("{SETTINGS}; SET default_transaction_read_only = {is_read_only}")
}

/// Reads an address. What is wrong with it is not told further: the text may hold a password.
pub(super) fn parse(address: &str) -> Result<Config, Failure> {
    Ok(address.parse().map_err(|_| Common::Address)?)
}
