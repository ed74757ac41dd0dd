//! The tokens in unsubscribe links: an address, and a signature that only this server can make.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::Secret;

/// A prefix of the signed bytes: a signature made for another purpose, or another version, is invalid here.
const PURPOSE: &[u8] = b"galley: unsubscribe from notes, 1\0";

/// Makes and checks tokens.
pub(super) struct Unsubscribe(Hmac<Sha256>);

impl Unsubscribe {
    pub fn new(secret: &Secret) -> Self {
        let key = secret.expose().as_bytes();
        Self(Hmac::new_from_slice(key).expect("HMAC takes keys of any length"))
    }

    /// The token of an address.
    pub fn token(&self, address: &str) -> String {
        let signature = self.signed(address).finalize().into_bytes();
        let address = BASE64URL_NOPAD.encode(address.as_bytes());
        format!("{address}.{}", BASE64URL_NOPAD.encode(&signature))
    }

    /// The address a token was made for. The comparison takes the same time for every signature.
    pub fn address(&self, token: &str) -> Option<String> {
        let (address, signature) = token.split_once('.')?;
        let address = String::from_utf8(BASE64URL_NOPAD.decode(address.as_bytes()).ok()?).ok()?;
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        self.signed(&address).verify_slice(&signature).ok()?;
        Some(address)
    }

    fn signed(&self, address: &str) -> Hmac<Sha256> {
        self.0.clone().chain_update(PURPOSE).chain_update(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(secret: &str) -> Unsubscribe {
        Unsubscribe::new(&Secret::new(secret.into()))
    }

    #[test]
    fn a_token_tells_its_address() {
        let unsubscribe = with("s");
        for address in ["mo@example.org", "ä+b@x.org", ""] {
            assert_eq!(
                unsubscribe.address(&unsubscribe.token(address)).as_deref(),
                Some(address)
            );
        }
    }

    #[test]
    fn a_token_that_was_changed_or_made_elsewhere_is_not_good() {
        let unsubscribe = with("s");
        let token = unsubscribe.token("mo@example.org");
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(unsubscribe.address(&changed), None, "{changed}");
        }
        for length in 0..token.len() {
            assert_eq!(unsubscribe.address(&token[..length]), None);
        }
        let (address, _) = token.split_once('.').unwrap();
        let other = with("t").token("mo@example.org");
        for bad in [
            other,
            format!("{address}."),
            format!("{token}."),
            format!(" {token}"),
            format!("{token}A"),
        ] {
            assert_eq!(unsubscribe.address(&bad), None, "{bad}");
        }
    }
}
