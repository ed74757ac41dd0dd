//! Accounts, and the rule that one active admin remains.

use serde_json::json;

use super::{Actor, audit};
use crate::core::{Core, CoreError, outbox};
use crate::storage::engine::{FromValue, Row, Rows, ToValue, Value};
use crate::storage::id::{new_id, now_ms};
use crate::storage::sqlite::StorageError;

/// What an account may do on the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Reads, and adds remarks.
    Viewer,
    /// Manages projects.
    Editor,
    /// Manages the instance.
    Admin,
}

impl Role {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// Parses the name in the API.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Viewer, Self::Editor, Self::Admin]
            .into_iter()
            .find(|role| role.as_str() == text)
    }
}

impl ToValue for Role {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl FromValue for Role {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text(text) => Self::parse(text),
            _ => None,
        }
    }
}

/// One account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Opaque.
    pub id: String,
    /// Trimmed and lower-case.
    pub email: String,
    /// For people.
    pub display_name: String,
    /// What it may do.
    pub role: Role,
    /// Whether it was removed; it can be restored.
    pub removed: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// What a new account needs.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Trimmed and lower-case.
    pub email: String,
    /// For people.
    pub display_name: String,
    /// What it may do.
    pub role: Role,
}

/// The columns [`Account::from_row`] reads.
pub(crate) const COLUMNS: &str =
    "accounts.id, accounts.email, accounts.display_name, accounts.role, accounts.removed, accounts.created_at";

impl Account {
    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.get(0)?,
            email: row.get(1)?,
            display_name: row.get(2)?,
            role: row.get(3)?,
            removed: row.get(4)?,
            created_at: row.get(5)?,
        })
    }
}

impl Core {
    /// The account with this id.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, CoreError> {
        let id = id.to_owned();
        self.database.read(move |rows| with_id(rows, &id)).await
    }

    /// The account with this address, which must be trimmed and lower-case.
    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, CoreError> {
        let email = email.to_owned();
        self.database.read(move |rows| with_email(rows, &email)).await
    }

    /// Every account, removed ones too, oldest first.
    pub async fn accounts(&self) -> Result<Vec<Account>, CoreError> {
        let sql = format!("SELECT {COLUMNS} FROM accounts ORDER BY created_at, id");
        self.database
            .read(move |rows| Ok(rows.fetch_all(&sql, (), Account::from_row)?))
            .await
    }

    /// How many accounts there are, removed ones too.
    pub async fn count_accounts(&self) -> Result<u32, CoreError> {
        self.database
            .read(|rows| Ok(rows.fetch_one("SELECT count(*) FROM accounts", (), |row| row.get(0))?))
            .await
    }

    /// Makes an account. [`CoreError::Exists`] when the address has one.
    pub async fn create_account(&self, new: NewAccount) -> Result<Account, CoreError> {
        self.database.write(move |rows| insert(rows, &new)).await
    }

    /// Makes the instance's first account, an admin. [`CoreError::Exists`] when there is any account.
    pub async fn create_first_account(&self, email: String, display_name: String) -> Result<Account, CoreError> {
        let new = NewAccount {
            email,
            display_name,
            role: Role::Admin,
        };
        self.database
            .write(move |rows| {
                if any(rows)? {
                    Err(CoreError::Exists)
                } else {
                    admit(rows, &new, "operator")
                }
            })
            .await
    }

    /// Changes the display name of an active account. [`CoreError::NotFound`] when there is none.
    pub async fn rename_account(&self, id: &str, display_name: String) -> Result<Account, CoreError> {
        let id = id.to_owned();
        self.database
            .write(move |rows| {
                let sql = "UPDATE accounts SET display_name = ?2 WHERE id = ?1 AND removed = 0";
                if rows.execute(sql, (&id, &display_name))? == 0 {
                    return Err(CoreError::NotFound);
                }
                with_id(rows, &id)?.ok_or(CoreError::NotFound)
            })
            .await
    }

    /// Changes a role. [`CoreError::LastAdmin`] when no active admin would remain.
    pub async fn set_role(&self, actor: &Actor, id: &str, role: Role) -> Result<Account, CoreError> {
        let actor = actor.clone();
        self.change_account(id, move |rows, account| {
            if account.role == role {
                return Ok(());
            }
            let details = json!({ "email": account.email, "from": account.role.as_str(), "to": role.as_str() });
            audit::record(rows, &actor, "role-changed", &account.id, details)?;
            account.role = role;
            rows.execute("UPDATE accounts SET role = ?2 WHERE id = ?1", (&account.id, role))?;
            Ok(())
        })
        .await
    }

    /// Removes an account, ends its sessions, tokens and sign-in links and publishes `account-removed`, all in one step;
    /// a removed one stays as it is. [`CoreError::LastAdmin`] when no active admin would remain.
    pub async fn remove_account(&self, actor: &Actor, id: &str) -> Result<(), CoreError> {
        let actor = actor.clone();
        self.change_account(id, move |rows, account| {
            if account.removed {
                return Ok(());
            }
            audit::record(rows, &actor, "account-removed", &account.id, about(account))?;
            account.removed = true;
            rows.execute("UPDATE accounts SET removed = 1 WHERE id = ?1", [&account.id])?;
            rows.execute("DELETE FROM sessions WHERE user_id = ?1", [&account.id])?;
            rows.execute("DELETE FROM tokens WHERE user_id = ?1", [&account.id])?;
            rows.execute("DELETE FROM code_host_tokens WHERE user_id = ?1", [&account.id])?;
            rows.execute("DELETE FROM sign_in_links WHERE user_id = ?1", [&account.id])?;
            let data = json!({ "userId": account.id }).to_string();
            outbox::insert(rows, "account-removed", &data)
        })
        .await
        .map(drop)
    }

    /// Brings a removed account back, without its sessions and tokens; an active one stays as it is.
    pub async fn restore_account(&self, actor: &Actor, id: &str) -> Result<Account, CoreError> {
        let actor = actor.clone();
        self.change_account(id, move |rows, account| {
            if !account.removed {
                return Ok(());
            }
            audit::record(rows, &actor, "account-restored", &account.id, about(account))?;
            account.removed = false;
            rows.execute("UPDATE accounts SET removed = 0 WHERE id = ?1", [&account.id])?;
            Ok(())
        })
        .await
    }

    /// Runs a change of one account, and keeps the rule that one active admin remains.
    async fn change_account(
        &self,
        id: &str,
        change: impl Fn(&mut Rows<'_>, &mut Account) -> Result<(), CoreError> + Send + 'static,
    ) -> Result<Account, CoreError> {
        let id = id.to_owned();
        let write = move |rows: &mut Rows<'_>| {
            let mut account = with_id(rows, &id)?.ok_or(CoreError::NotFound)?;
            let was_active_admin = account.role == Role::Admin && !account.removed;
            change(rows, &mut account)?;
            // Checked only when the account was an admin: an instance that is run by the admin token may have none.
            if was_active_admin && !has_active_admin(rows)? {
                return Err(CoreError::LastAdmin);
            }
            Ok(account)
        };
        self.announce(write).await
    }
}

/// The account with this id.
pub(super) fn with_id(rows: &mut Rows<'_>, id: &str) -> Result<Option<Account>, CoreError> {
    find(rows, "id", id)
}

/// The account with this address.
pub(super) fn with_email(rows: &mut Rows<'_>, email: &str) -> Result<Option<Account>, CoreError> {
    find(rows, "email", email)
}

fn find(rows: &mut Rows<'_>, column: &str, value: &str) -> Result<Option<Account>, CoreError> {
    let sql = format!("SELECT {COLUMNS} FROM accounts WHERE {column} = ?1");
    Ok(rows.fetch_optional(&sql, [value], Account::from_row)?)
}

/// The audit log's details of an account.
fn about(account: &Account) -> serde_json::Value {
    json!({ "email": account.email, "role": account.role.as_str() })
}

/// Whether there is any account, a removed one included.
pub(super) fn any(rows: &mut Rows<'_>) -> Result<bool, CoreError> {
    Ok(rows.fetch_one("SELECT EXISTS (SELECT 1 FROM accounts)", (), |row| row.get(0))?)
}

/// Makes the account of an admitted person; `by` names the ground in the audit log. [`CoreError::Exists`] when the address
/// has an account.
pub(super) fn admit(rows: &mut Rows<'_>, new: &NewAccount, by: &str) -> Result<Account, CoreError> {
    let account = insert(rows, new)?;
    let details = json!({ "email": account.email, "role": account.role.as_str(), "by": by });
    audit::record(rows, &Actor::System, "account-made", &account.id, details)?;
    Ok(account)
}

fn insert(rows: &mut Rows<'_>, new: &NewAccount) -> Result<Account, CoreError> {
    let account = Account {
        id: new_id(),
        email: new.email.clone(),
        display_name: new.display_name.clone(),
        role: new.role,
        removed: false,
        created_at: now_ms(),
    };
    let sql =
        "INSERT INTO accounts (id, email, display_name, role, removed, created_at) VALUES (?1, ?2, ?3, ?4, 0, ?5)";
    let values = (
        &account.id,
        &account.email,
        &account.display_name,
        account.role,
        account.created_at,
    );
    match rows.execute(sql, values) {
        Ok(_) => Ok(account),
        Err(error) if error.is_refused() => Err(CoreError::Exists),
        Err(error) => Err(error.into()),
    }
}

fn has_active_admin(rows: &mut Rows<'_>) -> Result<bool, CoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'admin' AND removed = 0)";
    Ok(rows.fetch_one(sql, (), |row| row.get(0))?)
}
