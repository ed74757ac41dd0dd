//! Access to a prototype on its own origin for people who are signed in on the main origin: the cookie that a one-time code is
//! exchanged for. It names the session by its stored hash, and ends with it, as the code does. The session's
//! secret never leaves the main origin.

use std::io;
use std::path::Path;

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::{ClusterKey, Config};
use crate::storage::durable;
use crate::storage::id::fill_random;

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
/// The version of the cookie's format. Version 1 named the account, and outlived the session.
const FORM: &str = "2";
/// The bytes of the key: those of a block of the hash, which is what HMAC makes of any key.
const BLOCK: usize = 64;
/// The key of the cookies.
pub(super) struct HandOff {
    key: [u8; BLOCK],
}

/// What a cookie grants: reading one project, with the rights of one session.
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
        Self { key }
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
