//! Variables named `EDITOR_*`, read once when the Editor starts.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;

use url::{Host, Url};

use super::Warning;

/// What the variables say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// `EDITOR_CANVAS`: exactly `1`.
    pub canvas: bool,
    /// `EDITOR_CODE_VIEW`: exactly `1`.
    pub code_view: bool,
    /// `EDITOR_NOTES`: exactly `1`.
    pub notes: bool,
    /// `EDITOR_VSCODE_LINK`: exactly `1`.
    pub vscode_link: bool,
    /// `EDITOR_USE_SUBSCRIPTION`: `1`, `true`, `yes` or `on`.
    pub use_subscription: bool,
    /// `EDITOR_REVIEW_SURFACE`: on, unless it is `off`, `0` or `false`.
    pub review_surface: bool,
    /// `EDITOR_PROVIDER`: whose models are asked.
    pub provider: Option<String>,
    /// `EDITOR_MODEL`: which of them.
    pub model: Option<String>,
    /// `EDITOR_VENDOR_CLI`: where the vendor's program is, when it is not on the PATH.
    pub vendor_cli: Option<PathBuf>,
    /// `EDITOR_BROWSER`: the Chromium that looks at pages, when it is not on the PATH.
    pub browser: Option<PathBuf>,
    /// `EDITOR_PROTOTYPE_TSCONFIG`: the TypeScript configuration instead of the one that is found.
    pub prototype_tsconfig: Option<PathBuf>,
    /// `EDITOR_STORYBOOK_URLS`
    pub storybooks: Vec<Storybook>,
    /// `EDITOR_STORYBOOK_HOST_ALLOWLIST`: hosts of theirs that may be in a private network, in lower case.
    pub storybook_hosts: Vec<String>,
    /// Set variables by name, for `--doctor`.
    pub set: BTreeMap<&'static str, String>,
    /// Values that cannot be used.
    pub warnings: Vec<Warning>,
}

/// A server of component documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storybook {
    /// Its address.
    pub url: Url,
    /// Its name for people.
    pub label: Option<String>,
    /// What its components are imported from.
    pub import_path: Option<String>,
}

/// Every variable there is.
pub const VARIABLES: [&str; 13] = [
    "EDITOR_CANVAS",
    "EDITOR_CODE_VIEW",
    "EDITOR_NOTES",
    "EDITOR_VSCODE_LINK",
    "EDITOR_USE_SUBSCRIPTION",
    "EDITOR_REVIEW_SURFACE",
    "EDITOR_PROTOTYPE_TSCONFIG",
    "EDITOR_STORYBOOK_URLS",
    "EDITOR_STORYBOOK_HOST_ALLOWLIST",
    "EDITOR_PROVIDER",
    "EDITOR_MODEL",
    "EDITOR_VENDOR_CLI",
    "EDITOR_BROWSER",
];

/// The names that `EDITOR_PROVIDER` knows.
pub const PROVIDERS: [&str; 4] = ["anthropic", "openai", "gemini", "compatible"];

impl Environment {
    /// Reads them through `lookup`.
    #[must_use]
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Environment {
        let mut warnings = Vec::new();
        let is = |name: &str, values: &[&str]| lookup(name).is_some_and(|value| values.contains(&value.as_str()));
        let switch = |name: &str| is(name, &["1"]);
        let tsconfig = lookup("EDITOR_PROTOTYPE_TSCONFIG").filter(|path| !path.is_empty());
        let prototype_tsconfig = tsconfig.and_then(|path| match usable_file(&path) {
            Ok(path) => Some(path),
            Err(why) => {
                warnings.push(Warning::new(
                    "environment",
                    format!("EDITOR_PROTOTYPE_TSCONFIG is ignored: {path} {why}"),
                ));
                None
            }
        });
        let text = |name: &str| {
            lookup(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let provider = text("EDITOR_PROVIDER").map(|name| name.to_ascii_lowercase());
        if let Some(name) = provider.as_ref().filter(|name| !PROVIDERS.contains(&name.as_str())) {
            let words = format!("EDITOR_PROVIDER is ignored: {name} is none of {}", PROVIDERS.join(", "));
            warnings.push(Warning::new("environment", words));
        }
        let provider = provider.filter(|name| PROVIDERS.contains(&name.as_str()));
        let allowed = lookup("EDITOR_STORYBOOK_HOST_ALLOWLIST").unwrap_or_default();
        let allowed: Vec<_> = list(&allowed).map(str::to_ascii_lowercase).collect();
        let mut storybooks = Vec::new();
        for entry in list(&lookup("EDITOR_STORYBOOK_URLS").unwrap_or_default()) {
            match storybook(entry, &allowed) {
                Ok(storybook) => storybooks.push(storybook),
                Err(why) => {
                    let words = format!("EDITOR_STORYBOOK_URLS: {entry} is ignored: {why}");
                    warnings.push(Warning::new("environment", words));
                }
            }
        }
        Environment {
            canvas: switch("EDITOR_CANVAS"),
            code_view: switch("EDITOR_CODE_VIEW"),
            notes: switch("EDITOR_NOTES"),
            vscode_link: switch("EDITOR_VSCODE_LINK"),
            use_subscription: is("EDITOR_USE_SUBSCRIPTION", &["1", "true", "yes", "on"]),
            review_surface: !is("EDITOR_REVIEW_SURFACE", &["off", "0", "false"]),
            provider,
            model: text("EDITOR_MODEL"),
            vendor_cli: text("EDITOR_VENDOR_CLI").map(PathBuf::from),
            browser: text("EDITOR_BROWSER").map(PathBuf::from),
            prototype_tsconfig,
            storybooks,
            storybook_hosts: allowed,
            set: VARIABLES
                .iter()
                .filter_map(|name| Some((*name, lookup(name)?)))
                .collect(),
            warnings,
        }
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

fn usable_file(path: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(path);
    if !path.is_absolute() {
        return Err("is not an absolute path");
    }
    if path.is_file() { Ok(path) } else { Err("is not a file") }
}

/// `<url>`, `<url>|<label>` or `<url>|<label>|<import path>`.
fn storybook(entry: &str, allowed: &[String]) -> Result<Storybook, String> {
    let mut parts = entry.splitn(3, '|').map(str::trim);
    let url = parts.next().unwrap_or_default();
    let url = Url::parse(url).map_err(|error| format!("it is no address ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the address must begin with http:// or https://".into());
    }
    let host = url.host().ok_or("the address has no host")?;
    if is_private(&host) && !allowed.contains(&host.to_string()) {
        return Err(format!(
            "{host} is this machine or a private network; name it in EDITOR_STORYBOOK_HOST_ALLOWLIST to allow it"
        ));
    }
    let mut text = || parts.next().filter(|text| !text.is_empty()).map(str::to_owned);
    let (label, import_path) = (text(), text());
    Ok(Storybook {
        url,
        label,
        import_path,
    })
}

/// Whether an address leads to this machine or into a private network. Names are only looked at, not resolved: whoever
/// fetches has to check the address it connects to as well.
fn is_private(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => !galley_net::is_public(IpAddr::V4(*address)),
        Host::Ipv6(address) => !galley_net::is_public(IpAddr::V6(*address)),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            let local = ["localhost", "local", "internal", "home.arpa"];
            // A name of one part is found by the local network's own rules only.
            !name.contains('.') || local.iter().any(|end| name.ends_with(&format!(".{end}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Environment {
        Environment::read(|name| {
            let found = variables.iter().find(|(there, _)| *there == name)?;
            Some(found.1.to_owned())
        })
    }

    #[test]
    fn switches_take_exactly_1() {
        assert!(with(&[("EDITOR_NOTES", "1")]).notes);
        for value in ["true", "yes", "on", " 1", "1 ", "01", ""] {
            assert!(!with(&[("EDITOR_NOTES", value)]).notes, "{value:?}");
        }
    }

    #[test]
    fn the_subscription_and_the_review_surface_have_words_of_their_own() {
        for value in ["1", "true", "yes", "on"] {
            assert!(with(&[("EDITOR_USE_SUBSCRIPTION", value)]).use_subscription);
        }
        assert!(!with(&[("EDITOR_USE_SUBSCRIPTION", "0")]).use_subscription);
        for value in ["off", "0", "false"] {
            assert!(!with(&[("EDITOR_REVIEW_SURFACE", value)]).review_surface);
        }
        assert!(with(&[]).review_surface && with(&[("EDITOR_REVIEW_SURFACE", "no")]).review_surface);
    }

    #[test]
    fn the_tsconfig_must_be_an_absolute_path_to_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        assert_eq!(
            with(&[("EDITOR_PROTOTYPE_TSCONFIG", path)])
                .prototype_tsconfig
                .as_deref(),
            Some(file.path())
        );
        for path in ["tsconfig.json", "/nowhere/tsconfig.json"] {
            let read = with(&[("EDITOR_PROTOTYPE_TSCONFIG", path)]);
            assert_eq!((read.prototype_tsconfig, read.warnings.len()), (None, 1));
        }
    }

    #[test]
    fn storybooks_have_an_address_and_maybe_a_label_and_an_import() {
        let read = with(&[(
            "EDITOR_STORYBOOK_URLS",
            "https://ui.example.com, https://b.example.com/x|Buttons|@acme/ui ,",
        )]);
        assert_eq!(read.storybooks.len(), 2);
        assert_eq!(read.storybooks[0].label, None);
        assert_eq!(read.storybooks[1].import_path.as_deref(), Some("@acme/ui"));
        assert!(read.warnings.is_empty());
    }

    #[test]
    fn storybooks_on_this_machine_need_to_be_allowed() {
        let private = [
            "http://localhost:6006",
            "http://a.localhost",
            "http://127.0.0.1",
            "http://10.0.0.5",
            "http://192.168.1.1",
            "http://172.16.0.1",
            "http://169.254.1.1",
            "http://0.0.0.0",
            "http://[::1]",
            "http://[fd00::1]",
            "http://[fe80::1]",
            "http://[::ffff:127.0.0.1]",
            "http://2130706433",
            "http://100.64.0.1",
            "http://nas",
            "http://nas.local.",
        ];
        for url in private {
            let read = with(&[("EDITOR_STORYBOOK_URLS", url)]);
            assert_eq!((read.storybooks.len(), read.warnings.len()), (0, 1), "{url}");
        }
        let allowed = with(&[
            ("EDITOR_STORYBOOK_URLS", "http://LOCALHOST:6006,http://10.0.0.5"),
            ("EDITOR_STORYBOOK_HOST_ALLOWLIST", "Localhost, 10.0.0.5"),
        ]);
        assert_eq!(allowed.storybooks.len(), 2);
        for url in ["ftp://example.com", "example.com", "://"] {
            assert_eq!(with(&[("EDITOR_STORYBOOK_URLS", url)]).warnings.len(), 1, "{url}");
        }
    }
}
