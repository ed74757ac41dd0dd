//! How often the prototype's scripts name a class or a tag: what is told of a rule that others share.
//!
//! Every element asks for names of its own, and searching all scripts for each would take longer than all the rest of an edit. So
//! a text is counted once, all its words together.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use parking_lot::Mutex;

use super::scripts::{Scripts, is_script};
use super::subject::Subject;
use crate::source::model::Project;

/// What a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mention {
    Class,
    Tag,
}

/// How often one text has each of its words, in the order of the words' hashes. Two words of one hash would count as one, which
/// nobody has seen among 64 bits.
#[derive(Debug, Default)]
struct Counts(Vec<(u64, u32)>);

/// A script: its path, its text, and what was counted in it.
type Counted = (String, Arc<str>, Counts);

/// The scripts as they were when somebody asked last, and what was counted in all of them.
#[derive(Debug, Default)]
struct Totals {
    scripts: Vec<Counted>,
    sums: HashMap<u64, usize>,
}

/// What is kept of that.
#[derive(Debug, Default)]
struct Last(Mutex<Totals>);

impl Mention {
    /// How often `name` is mentioned so in a text.
    pub fn count(self, text: &str, name: &str) -> usize {
        let word = |(kind, word)| kind == self && word == name;
        mentions(text).filter(|found| word(*found)).count()
    }

    fn hash(self, name: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self, name).hash(&mut hasher);
        hasher.finish()
    }
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counted: HashMap<u64, u32> = HashMap::new();
        for (kind, word) in mentions(text) {
            *counted.entry(kind.hash(word)).or_default() += 1;
        }
        let mut counts: Vec<(u64, u32)> = counted.into_iter().collect();
        counts.sort_unstable();
        Self(counts)
    }

    fn find(&self, word: u64) -> usize {
        let found = self.0.binary_search_by_key(&word, |(hash, _)| *hash);
        found.map_or(0, |at| self.0[at].1 as usize)
    }
}

impl Totals {
    /// Goes on with the scripts as they are now: only what has another text is counted again.
    fn follow(&mut self, texts: &[(String, Arc<str>)]) {
        let scripts = || texts.iter().filter(|(path, _)| is_script(path));
        let same_files = self
            .scripts
            .iter()
            .map(|(path, ..)| path)
            .eq(scripts().map(|(path, _)| path));
        if !same_files {
            let mut before: HashMap<String, (Arc<str>, Counts)> = HashMap::new();
            for (path, text, counts) in self.scripts.drain(..) {
                before.insert(path, (text, counts));
            }
            self.sums.clear();
            for (path, text) in scripts() {
                let known = before.remove(path).filter(|(known, _)| Arc::ptr_eq(known, text));
                let counts = known.map_or_else(|| Counts::of(text), |(_, counts)| counts);
                counts
                    .0
                    .iter()
                    .for_each(|(word, count)| *self.sums.entry(*word).or_default() += *count as usize);
                self.scripts.push((path.clone(), text.clone(), counts));
            }
            return;
        }
        for ((_, known, counts), (_, text)) in self.scripts.iter_mut().zip(scripts()) {
            if Arc::ptr_eq(known, text) {
                continue;
            }
            let now = Counts::of(text);
            for (word, count) in &counts.0 {
                if let Some(sum) = self.sums.get_mut(word) {
                    *sum -= *count as usize;
                }
            }
            now.0
                .iter()
                .for_each(|(word, count)| *self.sums.entry(*word).or_default() += *count as usize);
            (*known, *counts) = (text.clone(), now);
        }
    }

    /// How often a word stands in all scripts but one.
    fn elsewhere(&self, word: u64, path: &str) -> usize {
        let own = self.scripts.iter().find(|(script, ..)| script == path);
        let own = own.map_or(0, |(_, _, counts)| counts.find(word));
        self.sums.get(&word).copied().unwrap_or_default().saturating_sub(own)
    }
}

/// How often the scripts of the prototype but the element's own mention `name`.
pub(super) fn count(
    project: &dyn Project,
    scripts: &Scripts,
    subject: &Subject<'_>,
    mention: Mention,
    name: &str,
) -> usize {
    let texts = scripts.texts(project);
    let Some(kept) = project.kept() else {
        let others = texts
            .iter()
            .filter(|(path, _)| is_script(path) && *path != subject.path);
        return others.map(|(_, text)| mention.count(text, name)).sum();
    };
    let last = kept.of::<Last>();
    let mut last = last.0.lock();
    last.follow(texts);
    last.elsewhere(mention.hash(name), subject.path)
}

/// The classes a text may name, which stand between quotes or white space, and its tags, which stand behind a `<`.
fn mentions(text: &str) -> impl Iterator<Item = (Mention, &str)> {
    let edge = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let mut words = text.split(edge);
    // What stands at one end of the text has no edge there.
    words.next();
    words.next_back();
    let classes = words.filter(|word| !word.is_empty()).map(|word| (Mention::Class, word));
    let tags = text.match_indices('<').filter_map(move |(at, _)| {
        let rest = &text[at + 1..];
        let name = &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())];
        (!name.is_empty()).then_some((Mention::Tag, name))
    });
    classes.chain(tags)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::inline::words;
    use super::*;

    /// The same, name by name.
    fn searched(mention: Mention, text: &str, name: &str) -> usize {
        let edge = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
        let is_one = |at: &usize| match mention {
            Mention::Class => text[..*at].ends_with(edge) && text[at + name.len()..].starts_with(edge),
            Mention::Tag => text[..*at].ends_with('<'),
        };
        words(text, name).filter(is_one).count()
    }

    #[test]
    fn classes_stand_in_strings_and_tags_behind_their_bracket() {
        let text = "<Card className=\"card wide\"><b class='card'/>{`card ${x}`} card.wide <Card-x/> \"md:wide\"";
        for (mention, name, count) in [
            (Mention::Class, "card", 3),
            (Mention::Class, "wide", 1),
            (Mention::Class, "md:wide", 1),
            (Mention::Tag, "Card", 1),
            (Mention::Tag, "Card-x", 1),
            (Mention::Tag, "b", 1),
        ] {
            assert_eq!(mention.count(text, name), count, "{name}");
            assert_eq!(Counts::of(text).find(mention.hash(name)), count, "{name}");
            assert_eq!(searched(mention, text, name), count, "{name}");
        }
    }

    #[test]
    fn sums_follow_the_scripts() {
        let file = |path: &str, text: &str| (path.to_owned(), Arc::<str>::from(text));
        let (one, other) = (file("a.tsx", " card <b/> \"card\" "), file("b.tsx", " card "));
        let word = Mention::Class.hash("card");
        let mut totals = Totals::default();
        let mut check = |texts: &[(String, Arc<str>)], elsewhere: [usize; 2]| {
            totals.follow(texts);
            assert_eq!(
                ["a.tsx", "c.tsx"].map(|path| totals.elsewhere(word, path)),
                elsewhere,
                "{texts:?}"
            );
        };
        check(&[one.clone(), other.clone()], [1, 3]);
        check(
            &[one.clone(), file("b.tsx", " card card "), file("c.css", " card ")],
            [2, 4],
        );
        check(&[one.clone(), file("c.css", ""), file("c.tsx", " card ")], [1, 2]);
        check(
            &[file("a.tsx", "none"), file("c.css", ""), file("c.tsx", " card ")],
            [1, 0],
        );
        check(&[], [0, 0]);
    }

    proptest! {
        #[test]
        fn counting_all_words_finds_what_a_search_for_each_finds(text in "[ab<\"' $.é-]{0,40}", name in "[abé-]{1,3}") {
            for mention in [Mention::Class, Mention::Tag] {
                prop_assert_eq!(Counts::of(&text).find(mention.hash(&name)), searched(mention, &text, &name));
            }
        }
    }
}
