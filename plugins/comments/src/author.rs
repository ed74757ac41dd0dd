//! The author of a remark.
//!
//! A signed-in caller writes under their own name, whatever the request says. Other callers (anonymous visitors, and the admin
//! bearer, which belongs to no account) state their name, and get a uid `viewer:…`.

use galley_sdk::caller::User;
use galley_sdk::people::name;
use galley_sdk::prelude::*;
use galley_sdk::{json, projects, random};
use serde::Deserialize;
use serde_json::Value;

use crate::text::at_most;

/// The author of a comment or a reply, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// `user:<account id>` or `viewer:<anything>`.
    pub uid: String,
    /// The account's name, or the name that the visitor stated.
    pub display_name: String,
    /// The account's email address, for the mention directory; `None` for a visitor.
    pub email: Option<String>,
}

/// A visitor's statement about themselves.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claim {
    uid: Option<String>,
    display_name: Option<String>,
}

impl Author {
    /// The author of a request. `claim` is the body's `author`; it is ignored when the caller has an identity.
    pub fn of(caller: &Caller, claim: Option<Value>) -> Result<Author> {
        match &caller.user {
            Some(user) => Ok(Author {
                uid: uid(user),
                display_name: user.name.clone(),
                email: Some(user.email.clone()),
            }),
            None => Author::visitor(
                claim
                    .map(|claim| json::from_value("author", claim))
                    .transpose()?
                    .unwrap_or_default(),
            ),
        }
    }

    /// Who resolves a comment. The admin bearer is "An admin", unless it states a name.
    pub fn resolving(caller: &Caller, claim: Option<Value>) -> Result<Author> {
        let is_nameless = caller.is_admin() && claim.is_none();
        let mut by = Author::of(caller, claim)?;
        if is_nameless && caller.user.is_none() {
            by.display_name = "An admin".into();
        }
        Ok(by)
    }

    /// A visitor without a name is a guest; one without a uid gets one, which the client may send again next time.
    fn visitor(claim: Claim) -> Result<Author> {
        let uid = match claim.uid {
            None => format!("viewer:{}", random::id()),
            Some(uid) if uid.strip_prefix("viewer:").is_some_and(|rest| !rest.is_empty()) => uid,
            Some(_) => {
                return Err(Error::bad_request(
                    "`author.uid` must start with `viewer:` and name somebody",
                ));
            }
        };
        at_most("author.uid", &uid, 200)?;
        let name = name::cleaned(&claim.display_name.unwrap_or_default());
        at_most("author.displayName", &name, name::MAX_NAME)?;
        Ok(Author {
            uid,
            display_name: if name.is_empty() { "Guest".into() } else { name },
            email: None,
        })
    }
}

/// The uid of a signed-in author.
pub(crate) fn uid(user: &User) -> String {
    format!("user:{}", user.id)
}

/// Who may change or delete a remark of this author: the author, if it is an account, admins, and people on the project's
/// access list. Visitors cannot prove that a remark is theirs, so any writer may change it.
pub(crate) fn may_change(project: &str, caller: &Caller, author: &str) -> bool {
    let listed = |user: &User| author == uid(user) || projects::is_listed(project, &user.id);
    !author.starts_with("user:") || caller.is_admin() || caller.user.as_ref().is_some_and(listed)
}
