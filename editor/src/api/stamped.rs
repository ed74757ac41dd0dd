//! Answers that were given before: hosts that render on a server compile each module twice, and a reload or a restart of the dev
//! server asks for all of them again.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

/// Sources and answers together, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// How many modules a prototype has, about.
const USUAL_MODULES: usize = 2000;

/// By path, the last answer and what it was given for. The whole text is compared, which takes less time than a hash of it.
pub(super) struct Answers(Cache<String, Arc<Answer>, Memory>);

/// The memory of a module's source and answer.
#[derive(Clone)]
struct Memory;

impl Weighter<String, Arc<Answer>> for Memory {
    fn weight(&self, path: &String, answer: &Arc<Answer>) -> u64 {
        (path.len() + answer.source.len() + answer.part.len()) as u64
    }
}

struct Answer {
    source: Arc<str>,
    custom: Vec<String>,
    tag: String,
    part: Bytes,
}

impl Answer {
    fn is_for(&self, source: &Arc<str>, custom: &[String]) -> bool {
        let is_same = Arc::ptr_eq(&self.source, source) || self.source == *source;
        is_same && self.custom == custom
    }
}

impl Default for Answers {
    fn default() -> Self {
        // In one piece: each of several would be too small for the largest modules.
        let bounds = OptionsBuilder::new()
            .shards(1)
            .weight_capacity(MAX_BYTES)
            .estimated_items_capacity(USUAL_MODULES)
            .build()
            .expect("both bounds are set");
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(Cache::with_options(bounds, Memory, hasher, lifecycle))
    }
}

impl Answers {
    /// The answer for exactly this text and these custom elements.
    pub(super) fn get(&self, path: &str, source: &Arc<str>, custom: &[String]) -> Option<Bytes> {
        let known = self.0.get(path)?;
        known.is_for(source, custom).then(|| known.part.clone())
    }

    /// Whether the answer of this name is the one for exactly this text and these custom elements.
    pub(super) fn holds(&self, path: &str, source: &Arc<str>, custom: &[String], tag: &str) -> bool {
        let known = self.0.get(path);
        known.is_some_and(|known| known.tag == tag && known.is_for(source, custom))
    }

    /// Whether the last answer for this path was one for this text.
    pub(super) fn is_for(&self, path: &str, source: &str) -> bool {
        self.0.get(path).is_some_and(|known| *known.source == *source)
    }

    /// Keeps an answer, whose name is `tag`.
    pub(super) fn keep(&self, path: &str, source: &Arc<str>, custom: &[String], tag: String, part: &Bytes) {
        let answer = Answer {
            source: Arc::clone(source),
            custom: custom.to_owned(),
            tag,
            part: part.clone(),
        };
        self.0.insert(path.to_owned(), Arc::new(answer));
    }
}

/// A name for an answer. No other has it, nor had it in an earlier run, whose answers a dev server may have kept.
pub(super) fn new_tag() -> String {
    format!("{:016x}", rand::random::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_given_again_for_the_same_module_only() {
        let answers = Answers::default();
        let (text, other): (Arc<str>, Arc<str>) = ("<p/>".into(), "<b/>".into());
        let (part, tag) = (Bytes::from_static(b"part"), new_tag());
        answers.keep("a.vue", &text, &[], tag.clone(), &part);
        let custom = ["x-y".to_owned()];
        let same: Arc<str> = Arc::from("<p/>");
        for (path, text, custom, is_known) in [
            ("a.vue", &text, &[][..], true),
            ("a.vue", &same, &[], true),
            ("b.vue", &text, &[], false),
            ("a.vue", &other, &[], false),
            ("a.vue", &text, &custom, false),
        ] {
            let known = is_known.then(|| part.clone());
            assert_eq!(answers.get(path, text, custom), known, "{path} {text}");
            assert_eq!(answers.holds(path, text, custom, &tag), is_known, "{path} {text}");
        }
        assert!(!answers.holds("a.vue", &text, &[], &new_tag()));
    }
}
