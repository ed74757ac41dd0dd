//! Who made an artifact: a minisign signature, whose trusted comment names plugin, version and hash. The comment is signed
//! too, so that the signature of one plugin or version is none of another.

use data_encoding::{BASE64, HEXUPPER};
use minisign_verify::{PublicKey, Signature};

/// The longest signature file, in bytes.
pub const MAX_SIGNATURE_BYTES: usize = 4 << 10;

/// Why a signature was refused. The text names the keys.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SignatureError {
    /// The publisher's key is none.
    #[error(
        "`{0}` is no public key of minisign: it is the second line of the publisher's .pub file, and begins with RW"
    )]
    Key(String),
    /// There is no signature where one is needed.
    #[error("it is not signed, and its publisher's key is {publisher}: put the publisher's .minisig file beside it")]
    Missing {
        /// The id of the publisher's key.
        publisher: String,
    },
    /// The signature cannot be read.
    #[error("its signature is not one of minisign: {0}")]
    Malformed(String),
    /// Another key made it.
    #[error("it is signed with the key {found}, and its publisher's key is {publisher}")]
    OtherKey {
        /// The id of the key that signed.
        found: String,
        /// The id of the publisher's key.
        publisher: String,
    },
    /// The bytes are others.
    #[error("its signature by the key {publisher} is bad: the file is not the one that was signed")]
    Bad {
        /// The id of the publisher's key.
        publisher: String,
    },
    /// It is the signature of something else.
    #[error("its signature by the key {publisher} is for `{found}`, and this is `{expected}`")]
    OtherPlugin {
        /// The id of the publisher's key.
        publisher: String,
        /// What was signed.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// What a signature is for.
pub struct Signed<'a> {
    /// The plugin's own name.
    pub id: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Hex SHA-256 of the artifact.
    pub sha256: &'a str,
}

impl Signed<'_> {
    /// What the signature has to say of the artifact.
    fn statement(&self) -> String {
        format!("galley {} {} {}", self.id, self.version, self.sha256)
    }
}

/// Checks the signature of an artifact by a publisher.
pub fn check(wasm: &[u8], signed: &Signed<'_>, signature: Option<&str>, key: &str) -> Result<(), SignatureError> {
    let public = PublicKey::from_base64(key).map_err(|_| SignatureError::Key(key.to_owned()))?;
    let publisher = key_id(key).ok_or_else(|| SignatureError::Key(key.to_owned()))?;
    let Some(text) = signature else {
        return Err(SignatureError::Missing { publisher });
    };
    let decoded = Signature::decode(text).map_err(|error| SignatureError::Malformed(error.to_string()))?;
    let found = text.lines().nth(1).and_then(key_id).unwrap_or_default();
    if found != publisher {
        return Err(SignatureError::OtherKey { found, publisher });
    }
    // Signatures of the old kind, which are not over a hash, are refused: no publisher of a plugin has one.
    if public.verify(wasm, &decoded, false).is_err() {
        return Err(SignatureError::Bad { publisher });
    }
    let (found, expected) = (decoded.trusted_comment().to_owned(), signed.statement());
    match found == expected {
        true => Ok(()),
        false => Err(SignatureError::OtherPlugin {
            publisher,
            found,
            expected,
        }),
    }
}

/// The id of a key, as minisign shows it, from the key or from a signature of it.
pub fn key_id(base64: &str) -> Option<String> {
    let bytes = BASE64.decode(base64.trim().as_bytes()).ok()?;
    let id: Vec<u8> = bytes.get(2..10)?.iter().rev().copied().collect();
    Some(HEXUPPER.encode(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with `minisign -S -t 'galley a 1 x'` of a file that holds `hi` and a line's end.
    const KEY: &str = "RWQ9N71L0tlMGVdkcMBbHfSH/5fgFxmb/HXlTGne42nLvZFMH9jBaCjk";
    const SIGNATURE: &str = include_str!("signature.minisig");

    fn of(version: &'static str) -> Signed<'static> {
        Signed {
            id: "a",
            version,
            sha256: "x",
        }
    }

    #[test]
    fn a_signature_is_of_these_bytes_this_plugin_and_this_key() {
        assert_eq!(key_id(KEY).as_deref(), Some("194CD9D24BBD373D"));
        check(b"hi\n", &of("1"), Some(SIGNATURE), KEY).unwrap();
        let refused = |wasm: &[u8], version, text: Option<&str>, key: &str| {
            check(wasm, &of(version), text, key).unwrap_err().to_string()
        };
        let bad = refused(b"ho\n", "1", Some(SIGNATURE), KEY);
        assert!(bad.contains("194CD9D24BBD373D is bad"), "{bad}");
        let other = refused(b"hi\n", "2", Some(SIGNATURE), KEY);
        assert!(
            other.contains("`galley a 1 x`") && other.contains("`galley a 2 x`"),
            "{other}"
        );
        assert!(refused(b"hi\n", "1", None, KEY).contains("not signed"));
        assert!(refused(b"hi\n", "1", Some("hello"), KEY).contains("not one of minisign"));
        assert!(refused(b"hi\n", "1", Some(SIGNATURE), "RWQ").contains("no public key"));
        let forged = SIGNATURE.replace("galley a 1 x", "galley a 2 x");
        assert!(refused(b"hi\n", "2", Some(&forged), KEY).contains("is bad"));
    }
}
