//! A class list as it is written: its words and the white space between them.

use std::borrow::Cow;
use std::ops::Range;

use crate::source::model::Replacement;

use super::coding::Coding;
use super::merge::{Fate, decide, strings};

/// The words of one string, with their places. Edits touch only the words that change.
#[derive(Debug, Clone)]
pub struct ClassList<'t> {
    text: &'t str,
    coding: Coding,
    words: Vec<Word<'t>>,
    /// Whether an expression follows or precedes without white space between.
    glued: [bool; 2],
}

#[derive(Debug, Clone)]
struct Word<'t> {
    range: Range<usize>,
    /// `None` when the word is only a part of one, or cannot be read.
    text: Option<Cow<'t, str>>,
}

impl<'t> ClassList<'t> {
    /// The list in `text`, the characters between the quotes.
    #[must_use]
    pub fn new(text: &'t str, coding: Coding) -> Self {
        Self::beside(text, coding, [false, false])
    }

    /// A list in a template literal: `glued` says whether an expression stands right before the text and right after it.
    /// `a-${b} c` has the texts `a-` (glued after) and ` c` (glued before): the word `a-` is not one, and is never touched.
    #[must_use]
    pub fn beside(text: &'t str, coding: Coding, glued: [bool; 2]) -> Self {
        let mut words: Vec<Word<'t>> = text
            .split(is_space)
            .filter(|word| !word.is_empty())
            .map(|word| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let range = start..start + word.len();
                let partial = (glued[0] && range.start == 0) || (glued[1] && range.end == text.len());
                let decoded = coding.decode(word).filter(|word| !partial && !word.contains(is_space));
                Word { range, text: decoded }
            })
            .collect();
        words.shrink_to_fit();
        Self {
            text,
            coding,
            words,
            glued,
        }
    }

    /// The words that can be read, as the browser sees them.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter_map(|word| word.text.as_deref())
    }

    /// Whether a word can be added: not so between two expressions without white space.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.glued != [true, true] || self.text.contains(is_space)
    }

    /// What has to be replaced in the text so that the classes are added and removed. Words that cannot be added for want of
    /// room ([`Self::has_room`]) are left out.
    #[must_use]
    pub fn edit(&self, add: &[impl AsRef<str>], remove: &[impl AsRef<str>]) -> Vec<Replacement> {
        let words: Vec<Option<&str>> = self.words.iter().map(|word| word.text.as_deref()).collect();
        let outcome = decide(&words, &strings(add), &strings(remove));
        let mut replacements = self.drops(&outcome.fates);
        let changed = self.words.iter().zip(&outcome.fates);
        replacements.extend(changed.filter_map(|(word, fate)| match fate {
            Fate::Become(new) => Some(Replacement::new(word.range.clone(), self.coding.encode(new))),
            _ => None,
        }));
        if !outcome.append.is_empty() && self.has_room() {
            let added: Vec<Cow<'_, str>> = outcome.append.iter().map(|word| self.coding.encode(word)).collect();
            self.append(&added, &outcome.fates, &mut replacements);
        }
        replacements.sort_by_key(|replacement| (replacement.range.start, replacement.range.end));
        replacements
    }

    /// Removes each run of dropped words with the white space on one side: the side before it, unless that would join lines.
    fn drops(&self, fates: &[Fate]) -> Vec<Replacement> {
        let mut replacements = Vec::new();
        let mut index = 0;
        while index < fates.len() {
            if fates[index] != Fate::Drop {
                index += 1;
                continue;
            }
            let first = index;
            while fates.get(index) == Some(&Fate::Drop) {
                index += 1;
            }
            replacements.push(Replacement::remove(self.with_space(first..index)));
        }
        replacements
    }

    /// The range of some words and the white space that goes with them.
    fn with_space(&self, words: Range<usize>) -> Range<usize> {
        let range = self.words[words.start].range.start..self.words[words.end - 1].range.end;
        let before = words.start.checked_sub(1).map(|index| self.words[index].range.end);
        let after = self.words.get(words.end).map(|word| word.range.start);
        match (before, after) {
            (None, None) => range,
            (Some(before), None) => before..range.end,
            (None, Some(after)) => range.start..after,
            (Some(before), Some(after)) => {
                let begins_line = self.text[before..range.start].contains(['\n', '\r']);
                let ends_line = self.text[range.end..after].contains(['\n', '\r']);
                if begins_line && !ends_line {
                    range.start..after
                } else {
                    before..range.end
                }
            }
        }
    }

    /// Writes `added` after the last word that stays.
    fn append(&self, added: &[Cow<'_, str>], fates: &[Fate], replacements: &mut Vec<Replacement>) {
        let last = (0..fates.len())
            .rev()
            .find(|index| fates[*index] != Fate::Drop && self.words[*index].text.is_some());
        if let Some(last) = last {
            let separator = self.separator();
            let text: String = added.iter().flat_map(|word| [separator, word]).collect();
            replacements.push(Replacement::insert(self.words[last].range.end, text));
            return;
        }
        let text = added.join(" ");
        // All words go: the new ones take their place.
        if let Some(dropped) = replacements
            .first_mut()
            .filter(|_| self.words.iter().all(|word| word.text.is_some()))
        {
            dropped.text = text;
            return;
        }
        let end = self.text.trim_end_matches(is_space).len();
        let replacement = match self.glued {
            [_, false] if end == self.text.len() && (end > 0 || self.glued[0]) => {
                Replacement::insert(end, format!(" {text}"))
            }
            [_, false] if end > 0 => Replacement::insert(end, format!(" {text}")),
            [_, false] => Replacement::insert(self.text.len(), text),
            [false, true] => Replacement::insert(0, format!("{text} ")),
            [true, true] => {
                let space = self.text.find(is_space).unwrap_or_default();
                Replacement::insert(space, format!(" {text}"))
            }
        };
        replacements.push(replacement);
    }

    /// What goes between the last word and a new one: a line break where every word has its own line.
    fn separator(&self) -> &'t str {
        let mut gaps = self
            .words
            .windows(2)
            .map(|pair| &self.text[pair[0].range.end..pair[1].range.start]);
        let own_lines = self.words.len() > 2 && gaps.all(|gap| gap.contains('\n'));
        match self.words.as_slice() {
            [.., one, other] if own_lines => &self.text[one.range.end..other.range.start],
            _ => " ",
        }
    }
}

/// What separates classes in HTML: ASCII white space.
fn is_space(character: char) -> bool {
    character.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::model::Change;
    use proptest::prelude::*;

    fn edited(list: &ClassList<'_>, add: &[&str], remove: &[&str]) -> String {
        let replacements = list.edit(add, remove);
        let change = Change {
            path: String::new(),
            replacements,
        };
        change.apply(list.text).unwrap()
    }

    fn plain(text: &str, add: &[&str], remove: &[&str]) -> String {
        edited(&ClassList::new(text, Coding::Plain), add, remove)
    }

    #[test]
    fn words_are_replaced_where_they_stand() {
        for (text, add, remove, wanted) in [
            ("flex px-2  py-2 gap-1", "p-4", "", "flex p-4 gap-1"),
            ("a b c", "", "b", "a c"),
            ("a b c", "", "a", "b c"),
            ("a b c", "", "c", "a b"),
            ("a b c", "", "a b", "c"),
            ("a b c", "d", "a b c", "d"),
            ("a", "", "a", ""),
            ("", "a b", "", "a b"),
            (" ", "a", "", " a"),
            (" a ", "b", "", " a b "),
            ("a  b", "a", "", "a  b"),
            ("p-4", "p-4", "", "p-4"),
            ("a a", "", "a", ""),
            ("p-4 flex", "p-2", "flex", "p-2"),
        ] {
            let add: Vec<&str> = add.split_whitespace().collect();
            let remove: Vec<&str> = remove.split_whitespace().collect();
            assert_eq!(plain(text, &add, &remove), wanted, "{text:?} +{add:?} -{remove:?}");
        }
    }

    #[test]
    fn line_breaks_are_kept() {
        let list = "\n    flex p-4\n    text-sm\n    hover:underline\n  ";
        assert_eq!(
            plain(list, &[], &["p-4"]),
            "\n    flex\n    text-sm\n    hover:underline\n  "
        );
        assert_eq!(
            plain(list, &[], &["text-sm"]),
            "\n    flex p-4\n    hover:underline\n  "
        );
        assert_eq!(
            plain(list, &[], &["hover:underline"]),
            "\n    flex p-4\n    text-sm\n  "
        );
        assert_eq!(
            plain(list, &[], &["flex"]),
            "\n    p-4\n    text-sm\n    hover:underline\n  "
        );
        assert_eq!(plain("a\r\n  b\r\n  c", &["d"], &[]), "a\r\n  b\r\n  c\r\n  d");
    }

    #[test]
    fn parts_of_words_beside_expressions_are_never_touched() {
        let list = |text, glued| ClassList::beside(text, Coding::Script('`'), glued);
        assert_eq!(
            edited(&list("flex btn-", [false, true]), &["p-4"], &["btn-"]),
            "flex p-4 btn-"
        );
        assert_eq!(edited(&list("btn-", [false, true]), &["p-4"], &[]), "p-4 btn-");
        assert_eq!(edited(&list("", [true, false]), &["p-4"], &[]), " p-4");
        assert_eq!(edited(&list("-x", [true, false]), &["p-4"], &[]), "-x p-4");
        assert_eq!(edited(&list(" ", [true, true]), &["p-4"], &[]), " p-4 ");
        assert_eq!(edited(&list("-x y-", [true, true]), &["p-4"], &[]), "-x p-4 y-");
        assert!(!list("-", [true, true]).has_room());
        assert_eq!(edited(&list("-", [true, true]), &["p-4"], &[]), "-");
    }

    #[test]
    fn words_are_read_and_written_in_the_coding_of_their_place() {
        let list = ClassList::new("[&amp;p]:mt-2 a&check;", Coding::Markup('"'));
        assert_eq!(list.words().collect::<Vec<_>>(), ["[&p]:mt-2"]);
        assert_eq!(edited(&list, &["[&p]:mt-4"], &["a"]), "[&amp;p]:mt-4 a&check;");
    }

    #[test]
    fn a_list_of_megabytes_is_edited_in_linear_time() {
        let list = "p-4 ".repeat(500_000);
        let started = std::time::Instant::now();
        assert_eq!(plain(&list, &["p-2"], &[]).trim(), "p-2");
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn only_words_that_change_are_touched(
            text in "( |\n|  )?((p-2|px-4|flex|a|b|md:p-1)( |\n|  ))*",
            add in prop::sample::subsequence(vec!["p-4", "a", "c", "md:p-2"], 0..3),
            remove in prop::sample::subsequence(vec!["b", "flex"], 0..2),
        ) {
            let result = plain(&text, &add, &remove);
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let merged = crate::source::classes::merge(&words, &add, &remove);
            prop_assert_eq!(result.split_ascii_whitespace().collect::<Vec<_>>(), merged);
            prop_assert_eq!(plain(&result, &add, &remove), result.clone(), "twice is once");
            let untouched = plain(&text, &[], &["z"]);
            prop_assert_eq!(untouched, text);
        }

        #[test]
        fn adding_an_unknown_class_and_removing_it_gives_the_same_bytes(text in "[ \n\ta-c]{0,20}") {
            let there: Vec<&str> = text.split_ascii_whitespace().collect();
            prop_assume!(!there.is_empty());
            prop_assert_eq!(plain(&plain(&text, &["zz"], &[]), &[], &["zz"]), text);
        }
    }
}
