//! What a provider of Anthropic's Messages counts of a request: tools, then the system's text, then the conversation are one text of
//! blocks, and up to each mark in it the provider keeps it. What was kept is read again when a later request begins the same: a mark
//! looks for that at itself and at the twenty blocks before it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

/// Bytes of a token, roughly.
const BYTES_PER_TOKEN: u64 = 4;
/// Less is not kept, in tokens.
const LEAST: u64 = 1024;
/// How many blocks a mark looks back.
const LOOK_BACK: usize = 20;
/// A request with more marks is refused.
const MAX_MARKS: usize = 4;

/// Beginnings of requests that are kept.
#[derive(Debug, Default)]
pub struct Cache {
    kept: HashSet<u64>,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Read as if they were new.
    pub input: u64,
    /// Kept for later.
    pub write: u64,
    /// Known already.
    pub read: u64,
}

impl Counted {
    /// All of them.
    #[must_use]
    pub fn all(self) -> u64 {
        self.input + self.write + self.read
    }
}

/// The end of a block.
struct Place {
    /// Everything up to here.
    hash: u64,
    tokens: u64,
    is_marked: bool,
}

impl Cache {
    /// Counts a request, and keeps what it asks to keep.
    ///
    /// # Panics
    /// When it has more marks than a provider takes.
    pub fn count(&mut self, body: &Value) -> Counted {
        let places = places(body);
        let all = places.last().map_or(0, |place| place.tokens);
        let marks: Vec<usize> = (0..places.len()).filter(|at| places[*at].is_marked).collect();
        assert!(marks.len() <= MAX_MARKS, "a request has {} marks", marks.len());
        let known = |at: usize| self.kept.contains(&places[at].hash);
        let near = marks.iter().flat_map(|mark| mark.saturating_sub(LOOK_BACK)..=*mark);
        let read = near
            .filter(|at| known(*at))
            .map(|at| places[at].tokens)
            .max()
            .unwrap_or(0);
        let kept = marks.iter().filter(|mark| places[**mark].tokens >= LEAST);
        let kept: Vec<&Place> = kept.map(|mark| &places[*mark]).collect();
        let written = kept.last().map_or(0, |place| place.tokens).max(read);
        self.kept.extend(kept.iter().map(|place| place.hash));
        Counted {
            input: all - written,
            write: written - read,
            read,
        }
    }
}

/// The ends of all blocks, in the order in which a provider reads them.
fn places(body: &Value) -> Vec<Place> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut blocks = list(&body["tools"]);
    blocks.extend(list(&body["system"]));
    for message in list(&body["messages"]) {
        for mut block in list(&message["content"]) {
            block["role"] = message["role"].clone();
            blocks.push(block);
        }
    }
    let (mut hasher, mut bytes) = (DefaultHasher::new(), 0);
    let places = blocks.into_iter().map(|mut block| {
        let mark = block.as_object_mut().and_then(|block| block.remove("cache_control"));
        let text = block.to_string();
        text.hash(&mut hasher);
        bytes += text.len() as u64;
        Place {
            hash: hasher.finish(),
            tokens: bytes / BYTES_PER_TOKEN,
            is_marked: mark.is_some(),
        }
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn block(text: &str, is_marked: bool) -> Value {
        let mut block = json!({ "type": "text", "text": text });
        if is_marked {
            block["cache_control"] = json!({ "type": "ephemeral" });
        }
        block
    }

    fn request(texts: &[(&str, bool)]) -> Value {
        let messages = texts
            .iter()
            .map(|(text, is_marked)| json!({ "role": "user", "content": [block(text, *is_marked)] }));
        json!({ "system": [block(&"x".repeat(8_000), true)], "messages": messages.collect::<Vec<_>>() })
    }

    #[test]
    fn what_begins_the_same_is_read_again_up_to_a_mark() {
        let mut cache = Cache::default();
        let first = cache.count(&request(&[("one", true)]));
        assert_eq!((first.read, first.input), (0, 0));
        assert_eq!(first.write, first.all());
        let second = cache.count(&request(&[("one", true), ("two", true)]));
        assert_eq!(second.read, first.all());
        assert!(second.write > 0 && second.input == 0, "{second:?}");
        let other = cache.count(&request(&[("other", true), ("two", false)]));
        assert!(
            other.read >= 2_000 && other.read < first.all() && other.input > 0,
            "{other:?}"
        );
        // A mark looks back over twenty blocks, and over no more.
        let many = |count: usize| {
            let mut texts = vec![("one", true)];
            texts.extend(vec![("again", false); count]);
            texts.push(("end", true));
            texts[0].1 = false;
            request(&texts)
        };
        assert_eq!(cache.count(&many(19)).read, first.all());
        assert!(Cache::default().count(&many(3)).read == 0);
    }
}
