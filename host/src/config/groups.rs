//! The groups of variables that belong together.

use std::path::PathBuf;

use super::error::ConfigError;
use super::origin::base_url;
use super::secret::Secret;
use super::source::Source;

/// Sign-in by the code host.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// SERVICE_CODEHOST_CLIENT_ID.
    pub client_id: String,
    /// SERVICE_CODEHOST_CLIENT_SECRET.
    pub client_secret: Secret,
}

impl SignIn {
    pub(super) fn parse(source: &mut Source) -> Result<Option<Self>, ConfigError> {
        let group = source.group(
            "sign-in",
            ["SERVICE_CODEHOST_CLIENT_ID", "SERVICE_CODEHOST_CLIENT_SECRET"],
        )?;
        Ok(group.map(|[client_id, secret]| Self {
            client_id,
            client_secret: Secret::new(secret),
        }))
    }
}

/// The app that reads repositories.
#[derive(Debug, Clone)]
pub struct RepoApp {
    /// SERVICE_REPO_APP_ID.
    pub id: String,
    /// SERVICE_REPO_APP_PRIVATE_KEY, as PEM; a path was read.
    pub private_key: Secret,
    /// The file it was read from.
    pub private_key_file: Option<PathBuf>,
    /// SERVICE_REPO_APP_SLUG.
    pub slug: String,
}

impl RepoApp {
    pub(super) fn parse(source: &mut Source) -> Result<Option<Self>, ConfigError> {
        let names = [
            "SERVICE_REPO_APP_ID",
            "SERVICE_REPO_APP_PRIVATE_KEY",
            "SERVICE_REPO_APP_SLUG",
        ];
        let Some([id, key, slug]) = source.group("repositories", names)? else {
            return Ok(None);
        };
        let (key, file) = pem(key)?;
        Ok(Some(Self {
            id,
            private_key: Secret::new(key),
            private_key_file: file,
            slug,
        }))
    }
}

/// The PEM text, and the file it was read from; `None` when the variable holds the text itself.
fn pem(key: String) -> Result<(String, Option<PathBuf>), ConfigError> {
    if key.contains("-----BEGIN") {
        // Environments that cannot hold line breaks write them as \n.
        return Ok((key.replace("\\n", "\n"), None));
    }
    let text = std::fs::read_to_string(key.trim()).map_err(|error| {
        ConfigError(format!(
            "SERVICE_REPO_APP_PRIVATE_KEY is neither a PEM text nor a file that can be read ({error})"
        ))
    })?;
    if text.contains("-----BEGIN") {
        return Ok((text, Some(key.trim().into())));
    }
    Err(ConfigError(
        "SERVICE_REPO_APP_PRIVATE_KEY names a file that holds no PEM text".to_owned(),
    ))
}

/// The code host's addresses, without trailing slashes.
#[derive(Debug, Clone)]
pub struct CodeHost {
    /// SERVICE_CODEHOST_URL.
    pub url: String,
    /// SERVICE_CODEHOST_API_URL; it may have a path.
    pub api_url: String,
}

impl CodeHost {
    pub(super) fn parse(source: &mut Source) -> Result<Self, ConfigError> {
        let url = source.value("SERVICE_CODEHOST_URL");
        let api = source.value("SERVICE_CODEHOST_API_URL");
        let api_url = api.trim().trim_end_matches('/').to_owned();
        let parsed = url::Url::parse(&api_url);
        if !parsed.is_ok_and(|url| ["http", "https"].contains(&url.scheme())) {
            return Err(ConfigError(format!(
                "SERVICE_CODEHOST_API_URL is `{api}`, which is not an http or https address"
            )));
        }
        Ok(Self {
            url: base_url("SERVICE_CODEHOST_URL", url.trim().trim_end_matches('/'))?,
            api_url,
        })
    }
}

/// How the connection to the mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// Plain first, then encrypted.
    StartTls,
    /// Encrypted from the start.
    Tls,
    /// Never encrypted; loopback only.
    None,
}

/// The mail server.
#[derive(Debug, Clone)]
pub struct Smtp {
    /// SERVICE_SMTP_HOST.
    pub host: String,
    /// SERVICE_SMTP_PORT.
    pub port: u16,
    /// SERVICE_SMTP_USER.
    pub user: String,
    /// SERVICE_SMTP_PASS.
    pub pass: Secret,
    /// SERVICE_SMTP_FROM.
    pub from: String,
    /// SERVICE_SMTP_TLS.
    pub tls: SmtpTls,
}

impl Smtp {
    pub(super) fn parse(source: &mut Source) -> Result<Option<Self>, ConfigError> {
        let names = [
            "SERVICE_SMTP_HOST",
            "SERVICE_SMTP_PORT",
            "SERVICE_SMTP_USER",
            "SERVICE_SMTP_PASS",
            "SERVICE_SMTP_FROM",
        ];
        let tls = source.take("SERVICE_SMTP_TLS");
        let Some([host, port, user, pass, from]) = source.group("SMTP", names)? else {
            return match tls {
                Some(_) => Err(ConfigError(format!(
                    "SERVICE_SMTP_HOST is missing: SERVICE_SMTP_TLS belongs to the group \"SMTP\" ({})",
                    names.join(", ")
                ))),
                None => Ok(None),
            };
        };
        let port = port.trim().parse().map_err(|_| {
            ConfigError(format!(
                "SERVICE_SMTP_PORT is `{port}`, which is not a port from 1 to 65535"
            ))
        })?;
        let tls = match tls.as_deref() {
            None | Some("starttls") => SmtpTls::StartTls,
            Some("tls") => SmtpTls::Tls,
            Some("none") if is_loopback(&host) => SmtpTls::None,
            Some("none") => {
                return Err(ConfigError(format!(
                    "SERVICE_SMTP_TLS is `none`, which is for a mail server on this machine, and SERVICE_SMTP_HOST is `{host}`"
                )));
            }
            Some(other) => {
                return Err(ConfigError(format!(
                    "SERVICE_SMTP_TLS is `{other}`: it is `starttls`, `tls` or `none`"
                )));
            }
        };
        if from.trim().parse::<lettre::message::Mailbox>().is_err() || from.contains(char::is_control) {
            return Err(ConfigError(format!(
                "SERVICE_SMTP_FROM is `{from}`, which is not an address such as Galley <review@example.org>"
            )));
        }
        Ok(Some(Self {
            host,
            port,
            user,
            pass: Secret::new(pass),
            from,
            tls,
        }))
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
