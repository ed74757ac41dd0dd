//! Answers that were given before: hosts that render on a server compile each module twice, and a reload or a restart of the dev
//! server asks for all of them again.

use std::sync::Arc;

use bytes::Bytes;
use moka::sync::Cache;

/// Sources and answers together, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// By path, the last answer and what it was given for. The whole text is compared, which takes less time than a hash of it.
pub(super) struct Answers(Cache<String, Arc<Answer>>);

struct Answer {
    source: Arc<str>,
    custom: Vec<String>,
    part: Bytes,
}

impl Default for Answers {
    fn default() -> Self {
        let weigh = |path: &String, answer: &Arc<Answer>| {
            let bytes = path.len() + answer.source.len() + answer.part.len();
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weigh).build())
    }
}

impl Answers {
    /// The answer for exactly this text and these custom elements.
    pub(super) fn get(&self, path: &str, source: &Arc<str>, custom: &[String]) -> Option<Bytes> {
        let known = self.0.get(path)?;
        let is_same = Arc::ptr_eq(&known.source, source) || known.source == *source;
        (is_same && known.custom == custom).then(|| known.part.clone())
    }

    pub(super) fn keep(&self, path: &str, source: &Arc<str>, custom: &[String], part: &Bytes) {
        let answer = Answer {
            source: Arc::clone(source),
            custom: custom.to_owned(),
            part: part.clone(),
        };
        self.0.insert(path.to_owned(), Arc::new(answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_given_again_for_the_same_module_only() {
        let answers = Answers::default();
        let (text, other): (Arc<str>, Arc<str>) = ("<p/>".into(), "<b/>".into());
        let part = Bytes::from_static(b"part");
        answers.keep("a.vue", &text, &[], &part);
        assert_eq!(answers.get("a.vue", &text, &[]), Some(part.clone()));
        assert_eq!(answers.get("a.vue", &Arc::from("<p/>"), &[]), Some(part));
        assert_eq!(answers.get("b.vue", &text, &[]), None);
        assert_eq!(answers.get("a.vue", &other, &[]), None);
        assert_eq!(answers.get("a.vue", &text, &["x-y".to_owned()]), None);
    }
}
