//! The rules of a sheet, made once.

use std::sync::Arc;

use super::load::Loads;
use super::rules::Rules;
use super::scan::Sheet;

impl Sheet {
    /// Its rules. `text` is what it was scanned from.
    pub(super) fn rules(&self, text: &str) -> &Rules {
        let made = self.made.get_or_init(|| Arc::new(Rules::of(self, text)));
        match made.downcast_ref() {
            Some(rules) => rules,
            None => unreachable!("nothing else is made of a sheet"),
        }
    }

    /// What it says of the loading of others. `text` is what it was scanned from.
    #[must_use]
    pub fn loads(&self, text: &str) -> Arc<Loads> {
        Arc::clone(&self.rules(text).loads)
    }
}
