//! `galley:administration/members`.

use super::a::members::{Host, Link, Member};
use super::{administered, describe, role, unsigned};
use crate::accounts::Account;
use crate::capabilities::state::or_problem;
use crate::capabilities::{Problem, State};

impl From<Account> for Member {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            email: account.email,
            name: account.display_name,
            role: account.role.as_str().to_owned(),
            removed: account.removed,
            created_at: unsigned(account.created_at),
        }
    }
}

impl Host for State {
    async fn all(&mut self) -> wasmtime::Result<Result<Vec<Member>, Problem>> {
        administered!(self, Members);
        let accounts = self.slot.services.core.accounts().await.map_err(describe);
        Ok(accounts.map(|accounts| accounts.into_iter().map(Member::from).collect()))
    }

    async fn set_role(&mut self, id: String, wanted: String) -> wasmtime::Result<Result<Member, Problem>> {
        let actor = administered!(self, Members);
        let role = or_problem!(role(&wanted));
        let changed = self.slot.services.core.set_role(&actor, &id, role).await;
        Ok(changed.map(Member::from).map_err(describe))
    }

    async fn remove(&mut self, id: String) -> wasmtime::Result<Result<(), Problem>> {
        let actor = administered!(self, Members);
        let removed = self.slot.services.core.remove_account(&actor, &id).await;
        Ok(removed.map_err(describe))
    }

    async fn restore(&mut self, id: String) -> wasmtime::Result<Result<Member, Problem>> {
        let actor = administered!(self, Members);
        let restored = self.slot.services.core.restore_account(&actor, &id).await;
        Ok(restored.map(Member::from).map_err(describe))
    }

    async fn sign_in_link(&mut self, id: String) -> wasmtime::Result<Result<Link, Problem>> {
        let actor = administered!(self, Members);
        let services = &self.slot.services;
        let made = services.core.create_sign_in_link(&actor, &id).await;
        Ok(made.map_err(describe).map(|(token, expires_at)| Link {
            url: format!("{}/api/v1/auth/signin/{token}", services.config.public_url),
            expires_at: unsigned(expires_at),
        }))
    }

    async fn revoke_tokens(&mut self, id: String) -> wasmtime::Result<Result<u32, Problem>> {
        let actor = administered!(self, Members);
        let revoked = self.slot.services.core.revoke_tokens_of(&actor, &id).await;
        Ok(revoked.map_err(describe))
    }
}
