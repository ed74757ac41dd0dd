//! What tokens cost. The list is `prices.json`, which `cargo xtask prices` writes.

use std::sync::OnceLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::event::Usage;
use super::provider::Provider;

/// Dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The sum.
    pub usd: f64,
    /// Whether the model's price is not known, and the provider's dearest was taken.
    pub estimated: bool,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.usd += other.usd;
        self.estimated |= other.estimated;
    }
}

/// What a model costs: dollars for a million tokens, in steps by the length of the request.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    input: Rate,
    cache_write: Rate,
    cache_read: Rate,
    output: Rate,
    web_search: f64,
    estimated: bool,
}

/// A price that may depend on how much the model reads.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
enum Rate {
    Flat(f64),
    /// Each from so many tokens read, in ascending order.
    Steps(Vec<(u64, f64)>),
}

impl Rate {
    fn at(&self, input: u64) -> f64 {
        match self {
            Self::Flat(price) => *price,
            Self::Steps(steps) => {
                let reached = steps.iter().rev().find(|(from, _)| *from == 0 || input > *from);
                reached.map_or(0.0, |(_, price)| *price)
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct List {
    providers: BTreeMap<String, Vec<Model>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Model {
    #[serde(rename = "match")]
    name: Pattern,
    input: Rate,
    cache_write: Option<Rate>,
    cache_read: Option<Rate>,
    output: Rate,
    web_search: Option<f64>,
}

/// What a model's name looks like.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pattern {
    Equals(String),
    StartsWith(String),
    EndsWith(String),
    Contains(String),
    Regex(String),
    And(Vec<Pattern>),
    Or(Vec<Pattern>),
}

impl Pattern {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Equals(text) => name == text,
            Self::StartsWith(text) => name.starts_with(text.as_str()),
            Self::EndsWith(text) => name.ends_with(text.as_str()),
            Self::Contains(text) => name.contains(text.as_str()),
            Self::Regex(text) => Regex::new(text).is_ok_and(|pattern| pattern.is_match(name)),
            Self::And(all) => all.iter().all(|each| each.fits(name)),
            Self::Or(any) => any.iter().any(|each| each.fits(name)),
        }
    }
}

impl Model {
    fn rates(&self, estimated: bool) -> Rates {
        Rates {
            cache_write: self.cache_write.clone().unwrap_or_else(|| self.input.clone()),
            cache_read: self.cache_read.clone().unwrap_or_else(|| self.input.clone()),
            input: self.input.clone(),
            output: self.output.clone(),
            web_search: self.web_search.unwrap_or(MAX_WEB_SEARCH_USD),
            estimated,
        }
    }
}

/// A search of the web, where the list does not say it.
const MAX_WEB_SEARCH_USD: f64 = 0.01;

const MILLION: f64 = 1_000_000.0;

fn list() -> &'static List {
    static LIST: OnceLock<List> = OnceLock::new();
    LIST.get_or_init(|| {
        serde_json::from_str(include_str!("prices.json")).unwrap_or_else(|_| List {
            providers: BTreeMap::new(),
        })
    })
}

impl Rates {
    /// What a provider's model costs. One on this machine costs nothing, an unknown one as much as the provider's dearest.
    #[must_use]
    pub fn of(provider: Provider, model: &str, is_local: bool) -> Self {
        if is_local {
            return Self::free();
        }
        let models = |provider: Provider| {
            list()
                .providers
                .get(provider.id())
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        let known = models(provider).iter().find(|one| one.name.fits(model));
        if let Some(known) = known {
            return known.rates(false);
        }
        let all: Vec<&Model> = match provider {
            // Whose models these are is not known.
            Provider::Compatible => Provider::ALL.into_iter().flat_map(models).collect(),
            provider => models(provider).iter().collect(),
        };
        let dearest = all.into_iter().max_by(|one, other| {
            let price = |model: &Model| model.output.at(0) + model.input.at(0);
            price(one).total_cmp(&price(other))
        });
        dearest.map_or_else(Self::free, |model| model.rates(true))
    }

    /// Nothing.
    #[must_use]
    pub fn free() -> Self {
        Self {
            input: Rate::Flat(0.0),
            cache_write: Rate::Flat(0.0),
            cache_read: Rate::Flat(0.0),
            output: Rate::Flat(0.0),
            web_search: 0.0,
            estimated: false,
        }
    }

    /// What a call cost.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "nobody uses 2^52 tokens")]
    pub fn cost(&self, usage: &Usage) -> Cost {
        let read = usage.all_input();
        let sum = usage.input as f64 * self.input.at(read)
            + usage.cache_write as f64 * self.cache_write.at(read)
            + usage.cache_read as f64 * self.cache_read.at(read)
            + usage.output as f64 * self.output.at(read);
        Cost {
            usd: sum / MILLION + usage.web_searches as f64 * self.web_search,
            estimated: self.estimated,
        }
    }

    /// How many tokens of an answer so many dollars pay for.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and casting saturates"
    )]
    pub fn output_tokens_for(&self, usd: f64) -> u64 {
        let price = self.output.at(0);
        if price <= 0.0 {
            return u64::MAX;
        }
        (usd.max(0.0) / price * MILLION) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(provider: Provider, model: &str, usage: Usage) -> f64 {
        Rates::of(provider, model, false).cost(&usage).usd
    }

    #[test]
    fn the_list_is_read_and_every_pattern_of_it_is_one() {
        for provider in [Provider::Anthropic, Provider::OpenAi, Provider::Gemini] {
            assert!(list().providers[provider.id()].len() > 10, "{provider:?}");
        }
        fn check(pattern: &Pattern) {
            match pattern {
                Pattern::Regex(text) => drop(Regex::new(text).unwrap()),
                Pattern::And(all) | Pattern::Or(all) => all.iter().for_each(check),
                _ => {}
            }
        }
        list().providers.values().flatten().for_each(|model| check(&model.name));
    }

    #[test]
    fn each_sort_of_token_has_its_price() {
        let million = 1_000_000;
        let used = |input, cache_write, cache_read, output| Usage {
            input,
            cache_write,
            cache_read,
            output,
            web_searches: 0,
        };
        let opus = |usage| usd(Provider::Anthropic, "claude-opus-5-5", usage);
        assert!((opus(used(million, 0, 0, 0)) - 4.0).abs() < 1e-9);
        assert!((opus(used(0, million, 0, 0)) - 5.0).abs() < 1e-9);
        assert!((opus(used(0, 0, million, 0)) - 0.2).abs() < 1e-9);
        assert!((opus(used(0, 0, 0, million)) - 20.0).abs() < 1e-9);
        let searched = Usage {
            web_searches: 3,
            ..Usage::default()
        };
        assert!((opus(searched) - 0.03).abs() < 1e-9);
    }

    #[test]
    fn long_requests_cost_more_where_the_provider_says_so() {
        let rates = Rates::of(Provider::OpenAi, "gpt-6-sol", false);
        let cost = |input| {
            rates
                .cost(&Usage {
                    input,
                    ..Usage::default()
                })
                .usd
        };
        assert!((cost(100_000) - 0.2).abs() < 1e-9);
        assert!((cost(300_000) - 1.2).abs() < 1e-9);
    }

    #[test]
    fn an_unknown_model_costs_as_the_dearest_and_a_local_one_nothing() {
        let used = Usage {
            output: 1_000_000,
            ..Usage::default()
        };
        let unknown = Rates::of(Provider::Anthropic, "claude-unheard-of", false).cost(&used);
        assert!(unknown.estimated && unknown.usd >= 20.0, "{unknown:?}");
        assert!(
            !Rates::of(Provider::Anthropic, "claude-opus-5-5", false)
                .cost(&used)
                .estimated
        );
        assert_eq!(
            Rates::of(Provider::Compatible, "qwen", true).cost(&used),
            Cost::default()
        );
        let gateway = Rates::of(Provider::Compatible, "qwen", false).cost(&used);
        assert!(gateway.estimated && gateway.usd > 0.0);
    }
}
