//! `GET /api/v1/directory`: the people of the instance, for pickers.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::App;
use super::caller::Reader;
use super::error::ApiError;
use super::request::Asked;
use crate::accounts::Account;
use crate::identity::{Caller, access};

/// The most people of one answer.
const MAX_PEOPLE: usize = 20;
/// The longest text that is searched for, in characters.
const MAX_QUERY: usize = 100;

/// The query.
#[derive(Deserialize)]
pub struct Query {
    #[serde(default)]
    q: String,
}

/// How well somebody fits what was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The text stands somewhere in the name or the address.
    Inside,
    /// The name, a word of it, or the address begins with the text.
    Beginning,
}

/// `GET /api/v1/directory?q=an`: active accounts whose name or address holds `q`, for editors and admins.
pub async fn search(
    State(app): State<Arc<App>>,
    Reader(caller): Reader,
    Asked(query): Asked<Query>,
) -> Result<Json<Value>, ApiError> {
    if matches!(caller, Caller::Anonymous) {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "Sign in to search for people"));
    }
    access::editor(&caller)?;
    let wanted = query.q.trim().to_lowercase();
    if wanted.chars().count() > MAX_QUERY {
        return Err(ApiError::bad_request("`q` must have at most 100 characters"));
    }
    let mut accounts = app.core.accounts().await?;
    accounts.retain(|account| !account.removed);
    let people: Vec<_> = matching(accounts, &wanted).iter().map(describe).collect();
    Ok(Json(json!({ "people": people })))
}

/// An account as editors and admins see it.
pub fn describe(account: &Account) -> Value {
    json!({
        "userId": account.id, "displayName": account.display_name, "email": account.email,
        "role": account.role.as_str(),
    })
}

/// Those who fit, the best first. `wanted` is lower-case.
fn matching(accounts: Vec<Account>, wanted: &str) -> Vec<Account> {
    let mut found: Vec<_> = accounts
        .into_iter()
        .filter_map(|account| {
            let name = account.display_name.to_lowercase();
            let fit = fit(&name, &account.email, wanted)?;
            Some((Reverse(fit), name, account))
        })
        .collect();
    found.sort_by(|a, b| (a.0, &a.1, &a.2.email).cmp(&(b.0, &b.1, &b.2.email)));
    found.truncate(MAX_PEOPLE);
    found.into_iter().map(|(.., account)| account).collect()
}

fn fit(name: &str, email: &str, wanted: &str) -> Option<Fit> {
    let mut beginnings = name.split_whitespace().chain([name, email]);
    if beginnings.any(|text| text.starts_with(wanted)) {
        Some(Fit::Beginning)
    } else if name.contains(wanted) || email.contains(wanted) {
        Some(Fit::Inside)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Role;

    fn found(people: &[(&str, &str)], wanted: &str) -> Vec<String> {
        let accounts = people.iter().map(|(name, email)| Account {
            id: (*email).into(),
            email: (*email).into(),
            display_name: (*name).into(),
            role: Role::Viewer,
            removed: false,
            created_at: 0,
        });
        let names = matching(accounts.collect(), wanted).into_iter();
        names.map(|account| account.display_name).collect()
    }

    #[test]
    fn beginnings_come_before_what_stands_inside() {
        let people = [
            ("Susanne", "s@x.org"),
            ("Bo", "ann@x.org"),
            ("Mary Ann", "m@x.org"),
            ("Änne", "e@x.org"),
            ("Ann", "a@x.org"),
        ];
        assert_eq!(found(&people, "ann"), ["Ann", "Bo", "Mary Ann", "Susanne"]);
        assert_eq!(found(&people, "än"), ["Änne"]);
        assert_eq!(found(&people, "mary a"), ["Mary Ann"]);
        assert_eq!(found(&people, ""), ["Ann", "Bo", "Mary Ann", "Susanne", "Änne"]);
        assert!(found(&people, "nobody").is_empty());
    }
}
