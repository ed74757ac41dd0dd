//! Which provider is asked, where, with whose key and for which model. The environment wins over what people stored, and the
//! repository has no say: it may come from anywhere, and its settings must not send a key elsewhere.

use std::path::Path;

use serde::Serialize;
use url::Url;

use super::credentials::{Credentials, Stored};
use super::prices::Rates;
use super::provider::Provider;
use super::secrets::{Secret, Secrets};
use crate::home::PrivateError;

/// Chooses the provider.
pub const PROVIDER_VARIABLE: &str = "EDITOR_PROVIDER";
/// Chooses the model.
pub const MODEL_VARIABLE: &str = "EDITOR_MODEL";

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeySource {
    /// Its variable.
    Environment,
    /// The user's own file.
    Stored,
}

/// Everything that is needed to ask a model, as it is now.
#[derive(Debug, Clone)]
pub struct Access {
    /// The provider.
    pub provider: Provider,
    /// What named it, for people: a variable, `stored`, or nothing.
    pub chosen_by: ChosenBy,
    /// Its key, with where it comes from.
    pub key: Option<(Secret, KeySource)>,
    /// Its address, without a slash at the end; none for an endpoint of one's own that nobody named.
    pub base: Option<Url>,
    /// Why the address that somebody named cannot be used, for people. There is no `base` then.
    pub base_problem: Option<String>,
    /// Whether the address comes from its variable.
    pub base_by_environment: bool,
    /// The model; none where the provider has no usual one and nobody named one.
    pub model: Option<String>,
    /// Whether the model comes from its variable.
    pub model_by_environment: bool,
}

/// What decided for a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChosenBy {
    /// `EDITOR_PROVIDER`.
    Environment,
    /// The user's choice for this prototype.
    Stored,
    /// It is the first that there is a key for.
    Key,
    /// Nothing did.
    Default,
}

/// The usual model of a provider.
#[must_use]
pub fn default_model(provider: Provider) -> Option<&'static str> {
    match provider {
        Provider::Anthropic => Some("claude-sonnet-5-5"),
        Provider::OpenAi => Some("gpt-6-sol"),
        Provider::Gemini => Some("gemini-3.8-flash"),
        Provider::Compatible => None,
    }
}

/// How a variable is looked up.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Access {
    /// What holds for the prototype at `root` now. A stored file that cannot be used counts as none; the error says why.
    #[must_use]
    pub fn find(home: &Path, root: &Path, lookup: Lookup<'_>) -> (Self, Option<PrivateError>) {
        let (stored, error) = match Credentials::load(home) {
            Ok(stored) => (stored, None),
            Err(error) => (Credentials::default(), Some(error)),
        };
        (Self::of(&stored, root, lookup), error)
    }

    fn of(stored: &Credentials, root: &Path, lookup: Lookup<'_>) -> Self {
        let named = variable(lookup, PROVIDER_VARIABLE).and_then(|id| Provider::of(&id.to_ascii_lowercase()));
        let chosen = stored.roots.get(&root.display().to_string()).copied();
        let has_key = |provider: &Provider| key_of(*provider, stored, lookup).is_some();
        let (provider, chosen_by) = match (named, chosen) {
            (Some(provider), _) => (provider, ChosenBy::Environment),
            (None, Some(provider)) => (provider, ChosenBy::Stored),
            (None, None) => match Provider::ALL.into_iter().find(has_key) {
                Some(provider) => (provider, ChosenBy::Key),
                None => (Provider::Anthropic, ChosenBy::Default),
            },
        };
        Self {
            chosen_by,
            ..Self::to(provider, stored, lookup)
        }
    }

    /// The same for one provider, whichever is chosen.
    #[must_use]
    pub fn to(provider: Provider, stored: &Credentials, lookup: Lookup<'_>) -> Self {
        let empty = Stored::default();
        let kept = stored.providers.get(&provider).unwrap_or(&empty);
        let named_base = variable(lookup, &provider.base_variable());
        let named_model = variable(lookup, MODEL_VARIABLE);
        let base = named_base
            .as_deref()
            .or(kept.base_url.as_deref())
            .or(provider.default_base());
        let model = named_model.clone().or_else(|| kept.model.clone());
        let (base, base_problem) = match base.map(address) {
            None => (None, None),
            Some(Ok(base)) => (Some(base), None),
            Some(Err(why)) => {
                let name = match named_base {
                    Some(_) => provider.base_variable(),
                    None => format!("The address of {} in the settings", provider.name()),
                };
                (None, Some(format!("{name} cannot be used: {why}.")))
            }
        };
        Self {
            provider,
            chosen_by: ChosenBy::Default,
            key: key_of(provider, stored, lookup),
            base,
            base_problem,
            base_by_environment: named_base.is_some(),
            model: model.or_else(|| default_model(provider).map(str::to_owned)),
            model_by_environment: named_model.is_some(),
        }
    }

    /// Whether a model can be asked: there is a key, or the provider is on this machine and may need none.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        (self.key.is_some() || (self.provider == Provider::Compatible && self.is_local())) && self.base.is_some()
    }

    /// What is missing for a model to be asked, in the words that every part of the Editor says it.
    #[must_use]
    pub fn missing(&self) -> String {
        if let Some(problem) = &self.base_problem {
            return problem.clone();
        }
        if self.base.is_none() && self.key.is_some() {
            return format!(
                "Missing {}. Set it to the provider's address to use Editor's AI features, or add the address from the settings gear.",
                self.provider.base_variable()
            );
        }
        format!(
            "Missing {}. Set it to use Editor's AI features, or add a key from the settings gear.",
            self.provider.key_variable()
        )
    }

    /// Whether the provider runs on this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.base.as_ref().and_then(Url::host).is_some_and(is_this_machine)
    }

    /// What a model costs here; with an empty name the one that is chosen.
    #[must_use]
    pub fn rates(&self, model: &str) -> Rates {
        let model = if model.is_empty() {
            self.model.as_deref().unwrap_or_default()
        } else {
            model
        };
        Rates::of(
            self.provider,
            model,
            self.provider == Provider::Compatible && self.is_local(),
        )
    }
}

/// Values that have to stay out of everything: of variables, and every stored key.
#[must_use]
pub fn secrets(home: &Path) -> Secrets {
    let mut secrets = Secrets::of_variables(std::env::vars_os().filter_map(|(name, value)| {
        let text = (name.into_string(), value.into_string());
        Some((text.0.ok()?, text.1.ok()?))
    }));
    if let Ok(stored) = Credentials::load(home) {
        for kept in stored.providers.values() {
            secrets.add(kept.key.as_deref().unwrap_or_default());
        }
    }
    secrets
}

/// The address of a provider.
///
/// # Errors
/// With what is wrong with it. Keys are sent there, so plain HTTP is for this machine only.
pub fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim().trim_end_matches('/')).map_err(|error| format!("it is no address ({error})"))?;
    let host = url.host().ok_or("it has no host")?;
    match url.scheme() {
        "https" => {}
        "http" if is_this_machine(host) => {}
        "http" => return Err("it must begin with https://, because your key is sent there".into()),
        _ => return Err("it must begin with https://".into()),
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err("it must be an address alone, without a name, a password or a query".into());
    }
    Ok(url)
}

/// Whether a host is this machine. A name below `localhost` is, by RFC 6761.
fn is_this_machine(host: url::Host<&str>) -> bool {
    match host {
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
        url::Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
    }
}

fn variable(lookup: Lookup<'_>, name: &str) -> Option<String> {
    lookup(name)
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}

fn key_of(provider: Provider, stored: &Credentials, lookup: Lookup<'_>) -> Option<(Secret, KeySource)> {
    if let Some(key) = variable(lookup, &provider.key_variable()) {
        return Some((Secret::new(key), KeySource::Environment));
    }
    let key = stored.providers.get(&provider)?.key.clone()?;
    Some((Secret::new(key), KeySource::Stored))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(keys: &[(Provider, &str)]) -> Credentials {
        let mut all = Credentials::default();
        for (provider, key) in keys {
            all.providers.entry(*provider).or_default().key = Some((*key).to_owned());
        }
        all
    }

    fn find(stored: &Credentials, variables: &[(&str, &str)]) -> Access {
        let lookup = |name: &str| {
            let found = variables.iter().find(|(there, _)| *there == name)?;
            Some(found.1.to_owned())
        };
        Access::of(stored, Path::new("/p"), &lookup)
    }

    #[test]
    fn the_variable_then_the_choice_then_whose_key_is_set() {
        use Provider::{Anthropic, Gemini, OpenAi};
        let mut both = stored(&[(OpenAi, "sk-stored-1"), (Gemini, "sk-stored-2")]);
        assert_eq!(find(&Credentials::default(), &[]).provider, Anthropic);
        assert_eq!(find(&both, &[]).provider, OpenAi);
        assert_eq!(find(&both, &[("ANTHROPIC_API_KEY", "sk-env")]).provider, Anthropic);
        both.roots.insert("/p".into(), Gemini);
        assert_eq!(find(&both, &[("ANTHROPIC_API_KEY", "sk-env")]).provider, Gemini);
        assert_eq!(find(&both, &[("EDITOR_PROVIDER", "OpenAI")]).provider, OpenAi);
        assert_eq!(find(&both, &[("EDITOR_PROVIDER", "nobody")]).provider, Gemini);
    }

    #[test]
    fn the_environment_wins_over_what_is_stored() {
        let mut all = stored(&[(Provider::Anthropic, "sk-stored-1")]);
        let kept = all.providers.entry(Provider::Anthropic).or_default();
        (kept.model, kept.base_url) = (Some("mine".into()), Some("https://mine.example/v1/".into()));
        let access = find(&all, &[]);
        assert_eq!(access.key.unwrap().1, KeySource::Stored);
        assert_eq!(access.model.as_deref(), Some("mine"));
        assert_eq!(access.base.unwrap().as_str(), "https://mine.example/v1");
        let access = find(
            &all,
            &[
                ("ANTHROPIC_API_KEY", " sk-env "),
                ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1"),
                ("EDITOR_MODEL", "theirs"),
            ],
        );
        let (key, source) = access.key.clone().unwrap();
        assert_eq!((key.reveal(), source), ("sk-env", KeySource::Environment));
        assert_eq!(access.model.as_deref(), Some("theirs"));
        assert!(access.base_by_environment && access.is_local());
    }

    #[test]
    fn the_missing_key_is_named() {
        assert_eq!(
            find(&Credentials::default(), &[("EDITOR_PROVIDER", "openai")]).missing(),
            "Missing OPENAI_API_KEY. Set it to use Editor's AI features, or add a key from the settings gear."
        );
        let own = [
            ("EDITOR_PROVIDER", "compatible"),
            ("COMPATIBLE_BASE_URL", "http://127.0.0.1:1/v1"),
        ];
        assert!(
            find(&Credentials::default(), &own).is_ready(),
            "one's own machine needs no key"
        );
        assert!(!find(&Credentials::default(), &own[..1]).is_ready());
    }

    #[test]
    fn an_address_that_nobody_named_is_no_missing_key() {
        let access = find(
            &Credentials::default(),
            &[("EDITOR_PROVIDER", "compatible"), ("COMPATIBLE_API_KEY", "sk-env")],
        );
        assert!(!access.is_ready());
        assert!(
            access.missing().starts_with("Missing COMPATIBLE_BASE_URL. "),
            "{}",
            access.missing()
        );
    }

    #[test]
    fn an_address_that_cannot_be_used_is_no_missing_key() {
        let mut access = find(
            &Credentials::default(),
            &[
                ("EDITOR_PROVIDER", "openai"),
                ("OPENAI_API_KEY", "sk-env"),
                ("OPENAI_BASE_URL", "http://llm.intranet.example/v1"),
            ],
        );
        assert!(!access.is_ready() && access.base.is_none());
        assert_eq!(
            access.missing(),
            "OPENAI_BASE_URL cannot be used: it must begin with https://, because your key is sent there."
        );
        let mut all = stored(&[(Provider::Gemini, "sk-stored-1")]);
        all.providers.entry(Provider::Gemini).or_default().base_url = Some("gemini".into());
        access = find(&all, &[]);
        assert!(access.missing().starts_with("The address of "), "{}", access.missing());
    }

    #[test]
    fn a_key_is_sent_encrypted_or_to_this_machine() {
        for good in [
            "https://a.example/v1",
            "http://127.0.0.1:11434/v1/",
            "http://localhost/v1",
            "http://models.localhost:8080/v1",
            "http://[::1]:1",
        ] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in [
            "a.example",
            "http://a.example",
            "http://localhost.a.example",
            "ftp://a.example",
            "https://u:p@a.example",
            "https://a.example/?k=1",
            "",
        ] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
