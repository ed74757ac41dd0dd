//! Texts that come in pieces, which may break anywhere, also within a secret.

use super::secrets::Secrets;

/// Hides secrets in a text whose pieces may break anywhere.
#[derive(Debug)]
pub struct Flow {
    secrets: Secrets,
    held: String,
}

impl Flow {
    /// Nothing came yet.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        let held = String::new();
        Self { secrets, held }
    }

    /// What can be shown after one more piece.
    pub fn add(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let hidden = self.secrets.hide(&self.held).into_owned();
        let keep = self.secrets.begun(&hidden);
        let (shown, held) = hidden.split_at(hidden.len() - keep);
        let shown = shown.to_owned();
        self.held = held.to_owned();
        shown
    }

    /// What was held back, at the end.
    pub fn end(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        self.secrets.hide(&rest).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_secret_is_found_however_its_text_is_cut(cuts in proptest::collection::vec(0_usize..60, 0..6)) {
            let text = "é before sk-canary-1 between hunter2hunter2sk-canar é";
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut secrets = Secrets::default();
            secrets.add("sk-canary-1");
            secrets.add("hunter2hunter2");
            let mut flow = Flow::new(secrets);
            let mut shown: String = cuts.windows(2).map(|cut| flow.add(&text[cut[0]..cut[1]])).collect();
            shown.push_str(&flow.end());
            prop_assert_eq!(shown, "é before [secret] between [secret]sk-canar é");
        }
    }
}
