//! Encryption of secrets that must be read back: passwords and tokens that the server presents to other services. Secrets
//! that are only compared are stored as hashes instead.
//!
//! AES-256-GCM-SIV under `keys/seal.key`, a file of the data folder that only its owner can read. A copy of the database
//! alone does not reveal them; a copy of the whole data folder does. Servers that share a database have the key of their cluster
//! instead, which is in neither.

use std::io;
use std::path::Path;

use aes_gcm_siv::aead::{Aead, KeyInit, Payload};
use aes_gcm_siv::{Aes256GcmSiv, Key, Nonce};

use super::durable;
use super::id::fill_random;

const KEY_LENGTH: usize = 32;
const NONCE_LENGTH: usize = 12;
/// The first byte of every sealed value: the version of the format.
const FORM: u8 = 1;

/// The sealed bytes are damaged, were sealed for another purpose, or under another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a sealed value cannot be opened: it was not sealed with this server's key (keys/seal.key of the data folder, or SERVICE_CLUSTER_KEY_FILE)"
)]
pub struct Unsealable;

/// Seals and opens with the key of one data folder, or of one cluster.
pub struct Sealer(Aes256GcmSiv);

impl Sealer {
    /// Reads the key, or makes it. A key file of another length is an error: with a new key all that was sealed would
    /// be lost.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let folder = data_dir.join("keys");
        durable::private_folder(&folder)?;
        let path = folder.join("seal.key");
        let key = match std::fs::read(&path) {
            Ok(bytes) => <[u8; KEY_LENGTH]>::try_from(bytes).map_err(|_| {
                let message = format!("{} is damaged: restore it from a backup", path.display());
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut key = [0; KEY_LENGTH];
                fill_random(&mut key);
                durable::write_file(&path, &key)?;
                key
            }
            Err(error) => return Err(error),
        };
        Ok(Self::with_key(key))
    }

    /// With a key that is kept elsewhere: the one of a cluster.
    pub fn with_key(key: [u8; KEY_LENGTH]) -> Self {
        Self(Aes256GcmSiv::new(&Key::<Aes256GcmSiv>::from(key)))
    }

    /// Seals bytes for a purpose. They open only for the same one, so that a sealed value that was moved to another
    /// place in the database is useless there.
    pub fn seal(&self, purpose: &str, bytes: &[u8]) -> Result<Vec<u8>, Unsealable> {
        let mut nonce = [0; NONCE_LENGTH];
        fill_random(&mut nonce);
        let payload = Payload {
            msg: bytes,
            aad: purpose.as_bytes(),
        };
        let sealed = self.0.encrypt(&Nonce::from(nonce), payload).map_err(|_| Unsealable)?;
        Ok([&[FORM], nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for this purpose.
    pub fn unseal(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>, Unsealable> {
        let (form, rest) = sealed.split_first().ok_or(Unsealable)?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE_LENGTH>().ok_or(Unsealable)?;
        if *form != FORM {
            return Err(Unsealable);
        }
        let payload = Payload {
            msg: rest,
            aad: purpose.as_bytes(),
        };
        self.0.decrypt(&Nonce::from(*nonce), payload).map_err(|_| Unsealable)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_is_sealed_opens_for_its_purpose_only() {
        let folder = tempfile::tempdir().unwrap();
        let sealer = Sealer::open(folder.path()).unwrap();
        let sealed = sealer.seal("a password", b"hush").unwrap();
        assert!(!sealed.windows(4).any(|part| part == b"hush"));
        assert_ne!(sealed, sealer.seal("a password", b"hush").unwrap());
        let again = Sealer::open(folder.path()).unwrap();
        assert_eq!(again.unseal("a password", &sealed).unwrap(), b"hush");
        assert_eq!(again.unseal("a token", &sealed), Err(Unsealable));
    }

    #[test]
    fn damage_and_other_keys_are_noticed() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sealer = Sealer::open(here.path()).unwrap();
        let sealed = sealer.seal("p", b"hush").unwrap();
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert_eq!(sealer.unseal("p", &damaged), Err(Unsealable), "byte {at}");
        }
        for length in 0..sealed.len() {
            assert_eq!(sealer.unseal("p", &sealed[..length]), Err(Unsealable), "{length} bytes");
        }
        let other = Sealer::open(there.path()).unwrap();
        assert_eq!(other.unseal("p", &sealed), Err(Unsealable));
    }

    #[test]
    fn the_key_is_its_owners_and_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        Sealer::open(folder.path()).unwrap();
        let path = folder.path().join("keys/seal.key");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.path().join("keys")), mode(&path)), (0o700, 0o600));
        std::fs::write(&path, b"short").unwrap();
        assert!(Sealer::open(folder.path()).is_err_and(|error| error.to_string().contains("seal.key")));
    }
}
