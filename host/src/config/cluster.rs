//! The group of variables "cluster": a PostgreSQL that several servers share, and the key that they have in common.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use data_encoding::HEXLOWER_PERMISSIVE;
use galley_postgres::{Address, Failure};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::error::ConfigError;
use super::objects::ObjectsConfig;
use super::source::Source;

/// The variables that are set together.
const GROUP: &str = "SERVICE_DATABASE_URL, SERVICE_OBJECTS_URL, SERVICE_CLUSTER_KEY_FILE";
/// The longest name of a server.
const MAX_NAME_LENGTH: usize = 64;
/// The bytes of the key.
const KEY_LENGTH: usize = 32;
/// The longest file that is read for a key, a password or certificates, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What servers of one cluster share.
#[derive(Debug, Clone)]
pub struct ClusterConfig {
    /// SERVICE_DATABASE_URL, with the password of SERVICE_DATABASE_PASSWORD_FILE and the authorities of SERVICE_DATABASE_CA. It
    /// shows no password.
    pub database: Address,
    /// The key in SERVICE_CLUSTER_KEY_FILE.
    pub key: ClusterKey,
    /// SERVICE_NODE_NAME: what this server is called among those of the cluster.
    pub node_name: Option<String>,
}

impl ClusterConfig {
    pub(super) fn parse(source: &mut Source, objects: Option<&ObjectsConfig>) -> Result<Option<Self>, ConfigError> {
        let url = source.take("SERVICE_DATABASE_URL");
        let key = source.path("SERVICE_CLUSTER_KEY_FILE");
        let authorities = source.path("SERVICE_DATABASE_CA");
        let password = source.path("SERVICE_DATABASE_PASSWORD_FILE");
        let node_name = source.take("SERVICE_NODE_NAME").map(|name| name.trim().to_owned());
        let (url, key) = match (url, key, objects) {
            (Some(url), Some(key), Some(_)) => (url, key),
            (None, None, _) => {
                let alone = [
                    ("SERVICE_DATABASE_CA", authorities.is_some()),
                    ("SERVICE_DATABASE_PASSWORD_FILE", password.is_some()),
                    ("SERVICE_NODE_NAME", node_name.is_some()),
                ];
                return match alone.into_iter().find(|(_, is_set)| *is_set) {
                    Some((name, _)) => Err(ConfigError(format!(
                        "SERVICE_DATABASE_URL is missing: {name} belongs to the group \"cluster\" ({GROUP})"
                    ))),
                    None => Ok(None),
                };
            }
            (url, key, _) => {
                let missing = match (url, key) {
                    (None, _) => "SERVICE_DATABASE_URL",
                    (_, None) => "SERVICE_CLUSTER_KEY_FILE",
                    _ => "SERVICE_OBJECTS_URL",
                };
                return Err(ConfigError(format!(
                    "{missing} is missing: the group \"cluster\" is set as a whole ({GROUP}), or no more than \
                     SERVICE_OBJECTS_URL of it"
                )));
            }
        };
        let authorities = authorities.map(|path| read("SERVICE_DATABASE_CA", &path)).transpose()?;
        let database = Address::parse(url.trim(), authorities.as_deref()).map_err(|failure| match failure {
            Failure::Address => ConfigError(
                "SERVICE_DATABASE_URL is not the address of a database: it is written as \
                 postgresql://user:password@host:5432/name, with `%40` for a `@` in the password; `?sslmode=` behind it is \
                 `require`, `verify-full`, `prefer` or `disable` (not with SERVICE_DATABASE_CA)"
                    .to_owned(),
            ),
            other => ConfigError(format!("SERVICE_DATABASE_CA cannot be used: {other}")),
        })?;
        let database = match password {
            Some(path) => {
                let bytes = read("SERVICE_DATABASE_PASSWORD_FILE", &path)?;
                let text = String::from_utf8(bytes)
                    .map_err(|_| ConfigError("SERVICE_DATABASE_PASSWORD_FILE is not UTF-8 text".to_owned()))?;
                database.with_password(text.trim_end_matches(['\r', '\n']))
            }
            None => database,
        };
        Ok(Some(Self {
            database,
            key: ClusterKey::read(&key)?,
            node_name: node_name.map(checked_name).transpose()?,
        }))
    }

    /// What an operator should know of these variables.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.database.is_open_to_others() {
            warnings.push(format!(
                "connections to {} do not check whom they reach: add `sslmode=verify-full` to SERVICE_DATABASE_URL, and set \
                 SERVICE_DATABASE_CA when its certificate is of an authority of your own",
                self.database.shown()
            ));
        }
        if self.key.is_open {
            warnings.push(
                "the file of SERVICE_CLUSTER_KEY_FILE can be read by other users of this machine: close it (chmod 600)"
                    .to_owned(),
            );
        }
        warnings
    }
}

/// What this server is called where nobody gave it a name.
pub fn default_node_name(port: u16) -> String {
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("{machine}:{port}")
}

fn checked_name(name: String) -> Result<String, ConfigError> {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || b".:_-".contains(&byte);
    match (1..=MAX_NAME_LENGTH).contains(&name.len()) && name.bytes().all(is_good) {
        true => Ok(name),
        false => Err(ConfigError(format!(
            "SERVICE_NODE_NAME is `{name}`: it has 1 to {MAX_NAME_LENGTH} letters, digits and `.`, `:`, `_`, `-`"
        ))),
    }
}

/// The key that all servers of a cluster have. From it come the keys of secrets in the database and of cookies.
#[derive(Clone)]
pub struct ClusterKey {
    key: [u8; KEY_LENGTH],
    /// Whether other users of this machine can read its file.
    is_open: bool,
}

impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

impl ClusterKey {
    /// A file of 32 bytes, such as the `keys/seal.key` of an embedded server, or of 64 digits of their hexadecimal form.
    fn read(path: &Path) -> Result<Self, ConfigError> {
        let name = "SERVICE_CLUSTER_KEY_FILE";
        let bytes = read(name, path)?;
        let key = <[u8; KEY_LENGTH]>::try_from(bytes.as_slice()).ok().or_else(|| {
            let digits = bytes.trim_ascii();
            let decoded = HEXLOWER_PERMISSIVE.decode(digits).ok()?;
            decoded.try_into().ok()
        });
        let Some(key) = key else {
            return Err(ConfigError(format!(
                "{name} names a file that holds no key: it has 32 bytes, or 64 hexadecimal digits; make one with \
                 `openssl rand -hex 32 > cluster.key`, and copy it to every server"
            )));
        };
        let mode = fs::metadata(path).map_or(0, |file| file.permissions().mode());
        Ok(Self {
            key,
            is_open: mode & 0o077 != 0,
        })
    }

    /// What secrets in the database are sealed with: the key itself, so that it can be the one of an embedded server.
    pub fn of_secrets(&self) -> [u8; KEY_LENGTH] {
        self.key
    }

    /// What the cookies of prototypes are signed with.
    pub fn of_views(&self) -> [u8; KEY_LENGTH] {
        // HMAC takes keys of every length.
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.key).expect("HMAC takes any key");
        mac.update(b"galley views 1");
        mac.finalize().into_bytes().into()
    }
}

fn read(name: &str, path: &Path) -> Result<Vec<u8>, ConfigError> {
    let unreadable = |reason: &dyn fmt::Display| {
        ConfigError(format!("{name} is {}, which cannot be read: {reason}", path.display()))
    };
    let length = fs::metadata(path).map_err(|error| unreadable(&error))?.len();
    if length > MAX_FILE_BYTES {
        return Err(unreadable(&"it is larger than 1 MiB"));
    }
    fs::read(path).map_err(|error| unreadable(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(content: &[u8], mode: u32) -> Result<ClusterKey, ConfigError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), content).unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
        ClusterKey::read(file.path())
    }

    #[test]
    fn a_key_is_32_bytes_or_their_digits() {
        let raw = key(&[0xab; 32], 0o600).unwrap();
        let digits = format!("{}\n", "aB".repeat(32));
        let written = key(digits.as_bytes(), 0o640).unwrap();
        assert_eq!(raw.of_secrets(), written.of_secrets());
        assert_eq!(raw.of_views(), written.of_views());
        assert_ne!(raw.of_secrets(), raw.of_views());
        assert_eq!((raw.is_open, written.is_open), (false, true));
        assert_eq!(format!("{raw:?}"), "(secret)");
        for other in [
            &b""[..],
            &[1; 31],
            &[1; 33],
            "a".repeat(63).as_bytes(),
            "xy".repeat(32).as_bytes(),
        ] {
            let refused = key(other, 0o600).unwrap_err().to_string();
            assert!(refused.contains("openssl rand -hex 32"), "{refused}");
        }
    }
}
