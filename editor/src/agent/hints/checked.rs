//! Examples that the declarations allow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::wish::Wish;
use crate::agent::gate::unseen;
use crate::models::Secrets;
use crate::source::components::check_example;

/// What is said of an example that was dropped, or of a provider's failure, in characters.
const MAX_WHY: usize = 200;

/// The hints of a library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// Examples, by the names of their components.
    pub examples: BTreeMap<String, String>,
    /// How many others were dropped.
    pub dropped: usize,
    /// Why the first of those was.
    pub why: Option<String>,
}

impl Hints {
    /// Takes an example, or counts it as dropped.
    pub(super) fn take(&mut self, wish: &Wish, component: &str, example: &str, secrets: &Secrets) {
        let example = example.trim();
        match self.check(wish, component, example, secrets) {
            Ok(()) => drop(self.examples.insert(component.to_owned(), example.to_owned())),
            Err(why) => {
                self.dropped += 1;
                self.why.get_or_insert_with(|| plain(&secrets.hide(&why)));
            }
        }
    }

    /// The same examples, as far as they are allowed still: whoever may write to the folder may have written them.
    pub(super) fn checked_again(self, wish: &Wish) -> Hints {
        let mut hints = Hints {
            examples: BTreeMap::new(),
            dropped: self.dropped,
            why: self.why.as_deref().map(plain),
        };
        for (component, example) in &self.examples {
            hints.take(wish, component, example, &Secrets::default());
        }
        hints
    }

    fn check(&self, wish: &Wish, name: &str, example: &str, secrets: &Secrets) -> Result<(), String> {
        let mut components = wish.components().iter();
        let component = components.find(|component| component.name == name);
        let component = component.ok_or_else(|| format!("{name} was not asked about"))?;
        if self.examples.contains_key(name) {
            return Err(format!("there is another example of {name}"));
        }
        if let Some(what) = unseen("", example) {
            return Err(format!("the example of {name} has {what}"));
        }
        if secrets.hide(example) != example {
            return Err(format!("the example of {name} has a secret in it"));
        }
        let checked = check_example(&wish.library, component, example);
        checked.map_err(|why| format!("of the example of {name}: {why}"))
    }
}

/// In one line, and without what a terminal would take for an order: words in it are a model's or a provider's.
pub(super) fn plain(words: &str) -> String {
    words.chars().filter(|sign| !sign.is_control()).take(MAX_WHY).collect()
}
