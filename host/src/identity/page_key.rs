//! Keys of pages: what a page of this server shows beside the session cookie, which every script of this origin could use.
//!
//! Prototypes may share the origin of the API, so a browser's session alone proves only that the request came from this origin.
//! The host writes a key into its own pages, and gives those to navigations only; scripts of prototypes cannot read them.
//! A key is a code over a scope, keyed with the session's secret: it needs no storage, and ends with the session.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The header that carries a key.
pub const PAGE_KEY: &str = "x-galley-key";

/// Begins what is signed, so that no code over a scope is one over anything else.
const PURPOSE: &str = "galley page key 1\n";
/// Begins the scope of a project's review.
const REVIEW: &str = "review:";

/// What a session may be used for by the holder of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Everything its account may do.
    All,
    /// Reading the project with this id and adding remarks to it. Empty: no project.
    Review(String),
}

impl Scope {
    /// Whether the project with this id is in the scope.
    pub fn includes(&self, project: &str) -> bool {
        match self {
            Self::All => true,
            Self::Review(id) => id == project,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(REVIEW) {
            Some(id) => Some(Self::Review(id.to_owned())),
            None => (text == "all").then_some(Self::All),
        }
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Review(id) => write!(f, "{REVIEW}{id}"),
        }
    }
}

/// The key of a page for a session: the scope, a dot and the code. ASCII without characters that HTML would escape.
pub fn page_key(session_secret: &str, scope: &Scope) -> String {
    let code = mac(session_secret, &scope.to_string()).finalize().into_bytes();
    format!("{scope}.{}", BASE64URL_NOPAD.encode(&code))
}

/// The scope of a key, if it was made for this session.
pub fn scope_of(session_secret: &str, key: &str) -> Option<Scope> {
    let (scope, code) = key.rsplit_once('.')?;
    let code = BASE64URL_NOPAD.decode(code.as_bytes()).ok()?;
    mac(session_secret, scope).verify_slice(&code).ok()?;
    Scope::parse(scope)
}

fn mac(session_secret: &str, scope: &str) -> Hmac<Sha256> {
    // HMAC takes keys of every length.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(session_secret.as_bytes()).expect("HMAC takes any key");
    mac.update(PURPOSE.as_bytes());
    mac.update(scope.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_for_one_session_and_one_scope() {
        let review = Scope::Review("p1".into());
        for scope in [Scope::All, review.clone(), Scope::Review(String::new())] {
            let key = page_key("a secret", &scope);
            assert!(key.starts_with(&format!("{scope}.")), "{key}");
            assert_eq!(scope_of("a secret", &key), Some(scope));
            assert_eq!(scope_of("another secret", &key), None);
        }
        let code = page_key("a secret", &review);
        let code = code.strip_prefix("review:p1").unwrap();
        for forged in ["all", "review:p2", "review:", ""] {
            assert_eq!(scope_of("a secret", &format!("{forged}{code}")), None, "{forged}");
        }
        assert!(review.includes("p1") && !review.includes("p2") && Scope::All.includes("p2"));
        assert!(!Scope::Review(String::new()).includes("p1"));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let key = page_key("a secret", &Scope::All);
        for at in 0..key.len() {
            let mut bent = key.clone().into_bytes();
            bent[at] ^= 1;
            assert_eq!(scope_of("a secret", &String::from_utf8(bent).unwrap()), None, "{at}");
        }
        for other in ["", ".", "all", "all.", &key[..key.len() - 1], "__GALLEY_KEY__"] {
            assert_eq!(scope_of("a secret", other), None, "{other}");
        }
    }
}
