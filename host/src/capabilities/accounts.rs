//! `galley:accounts`: the instance's accounts, read-only.

use galley_people::email;

use super::contract::galley::accounts::accounts::{Account, Host};
use super::state::granted;
use super::{Problem, State, unexpected};
use crate::accounts;
use crate::core::CoreError;

fn describe(found: Result<Option<accounts::Account>, CoreError>) -> Result<Option<Account>, Problem> {
    let found = found.map_err(|error| unexpected("an account could not be read", &error))?;
    Ok(found.map(|account| Account {
        id: account.id,
        email: account.email,
        name: account.display_name,
        role: account.role.as_str().to_owned(),
        removed: account.removed,
    }))
}

impl Host for State {
    async fn get(&mut self, id: String) -> wasmtime::Result<Result<Option<Account>, Problem>> {
        granted!(self, Accounts);
        Ok(describe(self.slot.services.core.account(&id).await))
    }

    async fn find(&mut self, address: String) -> wasmtime::Result<Result<Option<Account>, Problem>> {
        granted!(self, Accounts);
        let address = email::normal(&address);
        Ok(describe(self.slot.services.core.account_by_email(&address).await))
    }
}
