//! Whose an address is, and whether they may know what happens in a project.

use galley_people::email;

use crate::core::{Core, CoreError, Project};
use crate::identity::access;

/// Who has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addressee {
    /// An account that may read the project.
    Reader,
    /// An account that was removed, or may not read the project: they are told nothing.
    Shut,
    /// Nobody of the instance.
    Stranger,
}

impl Addressee {
    /// Whose the address is now. Nobody but the people who may read a project could have entered an address that has no
    /// account.
    pub async fn of(core: &Core, address: &str, project: &Project) -> Result<Self, CoreError> {
        Ok(match core.account_by_email(&email::normal(address)).await? {
            None => Self::Stranger,
            Some(account) if !account.removed && access::account_may_read(core, Some(&account), project) => {
                Self::Reader
            }
            Some(_) => Self::Shut,
        })
    }
}
