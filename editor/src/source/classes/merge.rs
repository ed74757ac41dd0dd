//! What becomes of each word when classes are added and removed.

use super::tailwind::{Utility, utility};

/// The words after adding and removing, with Tailwind's conflict groups: a class that is added takes the place of the first
/// one it makes void. An added class that is there already stays where it is.
#[must_use]
pub fn merge(list: &[impl AsRef<str>], add: &[impl AsRef<str>], remove: &[impl AsRef<str>]) -> Vec<String> {
    let words: Vec<Option<&str>> = list.iter().map(|word| Some(word.as_ref())).collect();
    let outcome = decide(&words, &strings(add), &strings(remove));
    let kept = list.iter().zip(outcome.fates).filter_map(|(word, fate)| match fate {
        Fate::Keep => Some(word.as_ref().to_owned()),
        Fate::Become(new) => Some(new),
        Fate::Drop => None,
    });
    kept.chain(outcome.append).collect()
}

/// Borrowed words of whatever holds strings.
pub(super) fn strings<S: AsRef<str>>(words: &[S]) -> Vec<&str> {
    words.iter().map(AsRef::as_ref).collect()
}

/// What happens to one word of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Keep,
    Drop,
    /// Its place is taken by this word.
    Become(String),
}

/// What happens to a whole list.
#[derive(Debug)]
pub(super) struct Outcome {
    /// One for each word.
    pub fates: Vec<Fate>,
    /// What has to be written after the last word.
    pub append: Vec<String>,
}

/// A word while a list is being merged.
struct Word<'w> {
    text: &'w str,
    utility: Option<Utility<'w>>,
}

impl<'w> Word<'w> {
    fn new(text: &'w str) -> Self {
        let utility = utility(text);
        Self { text, utility }
    }

    /// Whether this word, standing later, makes `earlier` void.
    fn overrides(&self, earlier: &Word<'_>) -> bool {
        match (&self.utility, &earlier.utility) {
            (Some(later), Some(earlier)) => later.overrides(earlier),
            _ => false,
        }
    }
}

/// `None` is a word that cannot be read or must not be touched; it conflicts with nothing.
pub(super) fn decide(list: &[Option<&str>], add: &[&str], remove: &[&str]) -> Outcome {
    let mut words: Vec<Option<Word<'_>>> = list.iter().map(|word| word.map(Word::new)).collect();
    let mut fates: Vec<Fate> = words
        .iter()
        .map(|word| match word {
            Some(word) if remove.contains(&word.text) && !add.contains(&word.text) => Fate::Drop,
            _ => Fate::Keep,
        })
        .collect();
    for (word, fate) in words.iter_mut().zip(&fates) {
        if *fate == Fate::Drop {
            *word = None;
        }
    }
    let mut append: Vec<Word<'_>> = Vec::new();
    for new in additions(add) {
        let void = |word: &Word<'_>| word.text == new.text || new.overrides(word);
        append.retain(|word| !void(word));
        let first = words.iter().position(|word| word.as_ref().is_some_and(void));
        // A later word that makes the new one void would win where classes are merged at run time: the new one goes last.
        let stays = first.filter(|first| {
            let later = words[first + 1..].iter().flatten().chain(&append);
            !later.filter(|word| !void(word)).any(|word| word.overrides(&new))
        });
        for (index, (word, fate)) in words.iter_mut().zip(&mut fates).enumerate() {
            if word.as_ref().is_some_and(void) && stays != Some(index) {
                *word = None;
                *fate = Fate::Drop;
            }
        }
        match stays {
            Some(index) => {
                if list[index] == Some(new.text) {
                    fates[index] = Fate::Keep;
                } else {
                    fates[index] = Fate::Become(new.text.to_owned());
                }
                words[index] = Some(new);
            }
            None => append.push(new),
        }
    }
    let append = append.into_iter().map(|word| word.text.to_owned()).collect();
    Outcome { fates, append }
}

/// The added words without those that later ones of them make void.
fn additions<'w>(add: &[&'w str]) -> Vec<Word<'w>> {
    let mut result: Vec<Word<'w>> = Vec::new();
    for text in add.iter().flat_map(|text| text.split_ascii_whitespace()) {
        let new = Word::new(text);
        result.retain(|word| word.text != text && !new.overrides(word));
        result.push(new);
    }
    result
}
