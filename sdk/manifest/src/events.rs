//! What a plugin may publish: whose topics, sizes, and how much in one call.

/// Topics that only the server publishes.
pub const HOST_TOPICS: [&str; 3] = ["account-removed", "build-finished", "project-deleted"];

/// The longest word of a topic, in bytes.
const MAX_WORD_BYTES: usize = 64;

/// The most bytes of one event's data.
pub const MAX_EVENT_BYTES: usize = 64 << 10;

/// The most events that a call may publish.
pub const MAX_EVENTS: usize = 100;

/// The most bytes, of topics and data, that a call may publish.
pub const MAX_EVENTS_BYTES: usize = 1 << 20;

/// Why an event may not be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventError {
    /// The code of `galley:events`.
    pub code: &'static str,
    /// For the plugin's author.
    pub message: String,
}

/// Who publishes, and what it said it would.
///
/// ```
/// use galley_manifest::{CallEvents, Publisher};
///
/// let publisher = Publisher { slot: "notes", topics: Some(vec!["notes/written".to_owned()]) };
/// let mut call = CallEvents::default();
/// assert!(call.add(&publisher, [("notes/written", "{}")]).is_ok());
/// assert_eq!(call.add(&publisher, [("project-deleted", "{}")]).unwrap_err().code, "denied");
/// assert_eq!(call.add(&publisher, [("comments/written", "{}")]).unwrap_err().code, "denied");
/// assert_eq!(call.add(&publisher, [("notes/read", "{}")]).unwrap_err().code, "undeclared");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher<S> {
    /// The slot's name.
    pub slot: S,
    /// The topics its manifest lists. `None` for a component of the contract's version 0.1, which publishes words and lists
    /// none.
    pub topics: Option<Vec<String>>,
}

/// What a call has published so far.
#[derive(Debug, Clone, Default)]
pub struct CallEvents {
    events: usize,
    bytes: usize,
}

impl CallEvents {
    /// Counts events, given as topic and data. `Err` when one of them may not be published, or when they are too many: then
    /// none of them may be.
    pub fn add<'e, S: AsRef<str>>(
        &mut self,
        publisher: &Publisher<S>,
        events: impl IntoIterator<Item = (&'e str, &'e str)>,
    ) -> Result<(), EventError> {
        let (mut count, mut bytes) = (self.events, self.bytes);
        for (topic, data) in events {
            publisher.check(topic)?;
            if data.len() > MAX_EVENT_BYTES {
                let message = format!("An event has at most {MAX_EVENT_BYTES} bytes.");
                return error("too-large", message);
            }
            count += 1;
            bytes += topic.len() + data.len();
        }
        if count > MAX_EVENTS || bytes > MAX_EVENTS_BYTES {
            let message =
                format!("A call publishes at most {MAX_EVENTS} events with {MAX_EVENTS_BYTES} bytes together.");
            return error("limit", message);
        }
        (self.events, self.bytes) = (count, bytes);
        Ok(())
    }
}

fn error(code: &'static str, message: String) -> Result<(), EventError> {
    Err(EventError { code, message })
}

/// Whether a text can stand behind the `/` of a topic.
pub(crate) fn is_word(word: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !word.is_empty() && word.len() <= MAX_WORD_BYTES && word.bytes().all(is_plain)
}

impl<S: AsRef<str>> Publisher<S> {
    fn check(&self, topic: &str) -> Result<(), EventError> {
        let slot = self.slot.as_ref();
        if HOST_TOPICS.contains(&topic) {
            return error("denied", format!("Only the server publishes `{topic}`."));
        }
        let Some(topics) = &self.topics else {
            return match is_word(topic) {
                true => Ok(()),
                false => error(
                    "bad-topic",
                    format!("A topic is 1 to {MAX_WORD_BYTES} of a-z, 0-9 and `-`."),
                ),
            };
        };
        match topic.split_once('/') {
            Some((owner, word)) if is_word(word) && owner != slot => {
                error("denied", format!("`{topic}` is a topic of the slot `{owner}`."))
            }
            Some((_, word)) if is_word(word) => match topics.iter().any(|listed| listed == topic) {
                true => Ok(()),
                false => error(
                    "undeclared",
                    format!("The manifest's `publishes` does not list `{topic}`."),
                ),
            },
            _ => {
                let shape = format!("A topic of this slot is `{slot}/` and 1 to {MAX_WORD_BYTES} of a-z, 0-9 and `-`.");
                error("bad-topic", shape)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publisher() -> Publisher<&'static str> {
        let long = format!("my/{}", "x".repeat(MAX_WORD_BYTES));
        let topics = Some(vec!["my/topic".to_owned(), long]);
        Publisher { slot: "my", topics }
    }

    fn code(publisher: &Publisher<&str>, events: &[(&str, &str)]) -> &'static str {
        let answer = CallEvents::default().add(publisher, events.iter().copied());
        answer.map_or_else(|error| error.code, |()| "ok")
    }

    #[test]
    fn topics_have_owners() {
        let own = publisher();
        assert_eq!(code(&own, &[("my/topic", "{}")]), "ok");
        for topic in HOST_TOPICS.into_iter().chain(["comments/written"]) {
            assert_eq!(code(&own, &[("my/topic", "{}"), (topic, "{}")]), "denied", "{topic}");
        }
        assert_eq!(code(&own, &[("my/other", "{}")]), "undeclared");
        for topic in [
            "",
            "my",
            "my/",
            "my/Topic",
            "my/a b",
            "my/a/b",
            &format!("my/{}", "a".repeat(65)),
        ] {
            assert_eq!(code(&own, &[(topic, "{}")]), "bad-topic", "{topic}");
        }
        assert_eq!(
            code(&own, &[("my/topic", &"x".repeat(MAX_EVENT_BYTES + 1))]),
            "too-large"
        );
    }

    #[test]
    fn components_of_version_0_1_publish_words() {
        let old = Publisher {
            slot: "my",
            topics: None,
        };
        assert_eq!(code(&old, &[("topic", "{}")]), "ok");
        assert_eq!(code(&old, &[("project-deleted", "{}")]), "denied");
        for topic in ["my/topic", "comments/written", "", "My"] {
            assert_eq!(code(&old, &[(topic, "{}")]), "bad-topic", "{topic}");
        }
    }

    #[test]
    fn a_call_has_a_share() {
        let own = publisher();
        let mut call = CallEvents::default();
        for _ in 0..10 {
            call.add(&own, [("my/topic", "{}"); 10]).unwrap();
        }
        assert_eq!(call.add(&own, [("my/topic", "{}")]).unwrap_err().code, "limit");
        let data = "x".repeat(60_000);
        let mut call = CallEvents::default();
        assert_eq!(
            call.add(&own, [("my/topic", data.as_str()); 20]).unwrap_err().code,
            "limit"
        );
        call.add(&own, [("my/topic", data.as_str()); 10]).unwrap();
        assert_eq!(
            call.add(&own, [("my/topic", data.as_str()); 10]).unwrap_err().code,
            "limit"
        );
    }
}
