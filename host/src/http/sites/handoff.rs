//! Access to a prototype on its own origin for people who are signed in on the main origin: one-time codes, and the cookie
//! that a code is exchanged for. Both name the session by its stored hash, and end with it. The session's
//! secret never leaves the main origin.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use sha2::Sha256;

use crate::config::{ClusterKey, Config};
use crate::storage::durable;
use crate::storage::id::{fill_random, hash_secret, new_secret};

/// The cookie's name. With https it has the prefix for which no other host of the domain can set it.
pub(super) fn cookie_name(config: &Config) -> &'static str {
    if config.secure_cookies() {
        "__Host-galley_view"
    } else {
        "galley_view"
    }
}

/// The name of the cookie for frames. The prefix asks for `Secure`, which browsers grant to names of this machine over http, too.
pub(super) fn frame_cookie_name() -> &'static str {
    "__Host-galley_frame"
}

/// How long a cookie is valid, in milliseconds.
pub(super) const COOKIE_LENGTH: i64 = 12 * 3600 * 1000;
/// How long a code is valid, in milliseconds.
const CODE_LENGTH: i64 = 60_000;
/// The version of the cookie's format. Version 1 named the account, and outlived the session.
const FORM: &str = "2";
/// The bytes of the key: those of a block of the hash, which is what HMAC makes of any key.
const BLOCK: usize = 64;
/// The most unused codes.
const MAX_CODES: usize = 10_000;
/// The most codes for one session and project within [`CODE_LENGTH`]. A browser that keeps no cookie comes back for
/// another code at once.
const MAX_TRIES: usize = 10;

/// Codes and the key of the cookies.
pub(super) struct HandOff {
    key: [u8; BLOCK],
    codes: Mutex<HashMap<String, Grant>>,
}

/// What a code or cookie grants: reading one project, with the rights of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Grant {
    /// The hash of the session's secret, as the database stores it.
    pub session: String,
    pub project: String,
    /// Milliseconds since 1970.
    pub expires: i64,
}

impl HandOff {
    /// Reads the key, or makes one. A new key makes all earlier cookies invalid: browsers then fetch new ones.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let folder = data_dir.join("keys");
        durable::private_folder(&folder)?;
        let path = folder.join("view.key");
        let key = match std::fs::read(&path) {
            Ok(bytes) => bytes.try_into().ok(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let key = match key {
            Some(key) => key,
            None => {
                let mut key = [0; BLOCK];
                fill_random(&mut key);
                durable::write_file(&path, &key)?;
                key
            }
        };
        Ok(Self::with_key(key))
    }

    /// With the key of a cluster, whose servers take each other's cookies.
    pub fn of_cluster(key: &ClusterKey) -> Self {
        let mut block = [0; BLOCK];
        let key = key.of_views();
        block[..key.len()].copy_from_slice(&key);
        Self::with_key(block)
    }

    fn with_key(key: [u8; BLOCK]) -> Self {
        Self {
            key,
            codes: Mutex::new(HashMap::new()),
        }
    }

    /// A new code; `None` when there are too many unused ones.
    pub fn issue(&self, session: &str, project: &str, now: i64) -> Option<String> {
        let mut codes = self.codes.lock();
        codes.retain(|_, grant| grant.expires > now);
        let tries = codes
            .values()
            .filter(|grant| grant.session == session && grant.project == project)
            .count();
        if codes.len() >= MAX_CODES || tries >= MAX_TRIES {
            return None;
        }
        let code = new_secret();
        let grant = Grant {
            session: session.to_owned(),
            project: project.to_owned(),
            expires: now + CODE_LENGTH,
        };
        codes.insert(hash_secret(&code), grant);
        Some(code)
    }

    /// Redeems a code for a project: the hash of the session it was issued to. The code is spent even when this fails.
    /// A spent code counts towards the bound until it expires.
    pub fn redeem(&self, code: &str, project: &str, now: i64) -> Option<String> {
        let mut codes = self.codes.lock();
        let grant = codes.remove(&hash_secret(code))?;
        // Kept under a name that no code has: it still counts, which ends a browser's redirect loop.
        codes.insert(format!("spent {}", new_secret()), grant.clone());
        (grant.project == project && grant.expires > now).then_some(grant.session)
    }

    /// The cookie's value.
    pub fn seal(&self, grant: &Grant) -> String {
        let text = format!("{FORM}.{}.{}.{}", grant.expires, grant.session, grant.project);
        let code = self.mac(&text).finalize().into_bytes();
        format!("{text}.{}", BASE64URL_NOPAD.encode(&code))
    }

    /// The grant of a cookie's value, if it was made here and is still valid.
    pub fn unseal(&self, value: &str, now: i64) -> Option<Grant> {
        let (text, code) = value.rsplit_once('.')?;
        self.mac(text)
            .verify_slice(&BASE64URL_NOPAD.decode(code.as_bytes()).ok()?)
            .ok()?;
        let mut parts = text.split('.');
        let (form, expires) = (parts.next()?, parts.next()?.parse().ok()?);
        let grant = Grant {
            session: parts.next()?.to_owned(),
            project: parts.next()?.to_owned(),
            expires,
        };
        (form == FORM && parts.next().is_none() && expires > now).then_some(grant)
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&self.key.into());
        mac.update(text.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> (tempfile::TempDir, HandOff) {
        let folder = tempfile::tempdir().unwrap();
        let handoff = HandOff::open(folder.path()).unwrap();
        (folder, handoff)
    }

    #[test]
    fn codes_are_good_once_for_a_minute_for_their_project() {
        let (_folder, handoff) = open();
        let code = handoff.issue("u", "p", 0).unwrap();
        assert_eq!(handoff.redeem(&code, "p", 59_999).as_deref(), Some("u"));
        assert_eq!(handoff.redeem(&code, "p", 59_999), None);
        let code = handoff.issue("u", "p", 0).unwrap();
        assert_eq!(handoff.redeem(&code, "other", 1), None);
        assert_eq!(handoff.redeem(&code, "p", 1), None);
        let code = handoff.issue("u", "p", 0).unwrap();
        assert_eq!(handoff.redeem(&code, "p", 60_000), None);
        assert_eq!(handoff.redeem("", "p", 0), None);
    }

    #[test]
    fn a_browser_without_cookies_is_stopped() {
        let (_folder, handoff) = open();
        for _ in 0..MAX_TRIES {
            let code = handoff.issue("u", "p", 0).unwrap();
            handoff.redeem(&code, "p", 1).unwrap();
        }
        assert_eq!(handoff.issue("u", "p", 1), None);
        assert!(handoff.issue("u", "q", 1).is_some());
        assert!(handoff.issue("u", "p", 60_001).is_some());
    }

    #[test]
    fn cookies_hold_until_they_expire_and_not_when_changed() {
        let (folder, handoff) = open();
        let grant = Grant {
            session: "s1".into(),
            project: "p1".into(),
            expires: 1000,
        };
        let value = handoff.seal(&grant);
        assert_eq!(handoff.unseal(&value, 999), Some(grant.clone()));
        assert_eq!(handoff.unseal(&value, 1000), None);
        for at in 0..value.len() {
            let mut bent = value.clone().into_bytes();
            bent[at] ^= 1;
            assert_eq!(handoff.unseal(&String::from_utf8(bent).unwrap(), 999), None, "{at}");
        }
        for other in ["", ".", "1.2.3.4.", &value[..value.len() - 1]] {
            assert_eq!(handoff.unseal(other, 0), None);
        }
        // The key outlives a restart, and nobody else can read it.
        assert_eq!(HandOff::open(folder.path()).unwrap().unseal(&value, 0), Some(grant));
        let mode = |path: &str| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::metadata(folder.path().join(path))
                .unwrap()
                .permissions()
                .mode()
                & 0o777
        };
        assert_eq!((mode("keys"), mode("keys/view.key")), (0o700, 0o600));
    }
}
