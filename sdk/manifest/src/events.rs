//! What a plugin may publish: topics, sizes, and how much in one call.

/// Topics that only the server publishes.
pub const HOST_TOPICS: [&str; 3] = ["account-removed", "build-finished", "project-deleted"];

/// The longest topic, in bytes.
const MAX_TOPIC_BYTES: usize = 64;

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

/// What a call has published so far.
///
/// ```
/// use galley_manifest::CallEvents;
///
/// let mut call = CallEvents::default();
/// assert_eq!(call.add([("project-deleted", "{}")]).unwrap_err().code, "denied");
/// assert!(call.add([("my-topic", "{}")]).is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct CallEvents {
    events: usize,
    bytes: usize,
}

impl CallEvents {
    /// Counts events, given as topic and data. `Err` when one of them may not be published, or when they are too many: then
    /// none of them may be.
    pub fn add<'e>(&mut self, events: impl IntoIterator<Item = (&'e str, &'e str)>) -> Result<(), EventError> {
        let (mut count, mut bytes) = (self.events, self.bytes);
        for (topic, data) in events {
            check(topic, data)?;
            count += 1;
            bytes += topic.len() + data.len();
        }
        if count > MAX_EVENTS || bytes > MAX_EVENTS_BYTES {
            let message =
                format!("A call publishes at most {MAX_EVENTS} events with {MAX_EVENTS_BYTES} bytes together.");
            return Err(EventError { code: "limit", message });
        }
        (self.events, self.bytes) = (count, bytes);
        Ok(())
    }
}

fn check(topic: &str, data: &str) -> Result<(), EventError> {
    let error = |code, message| Err(EventError { code, message });
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if topic.is_empty() || topic.len() > MAX_TOPIC_BYTES || !topic.bytes().all(is_plain) {
        let message = format!("A topic is 1 to {MAX_TOPIC_BYTES} of a-z, 0-9 and `-`.");
        return error("bad-topic", message);
    }
    if HOST_TOPICS.contains(&topic) {
        return error("denied", format!("Only the server publishes `{topic}`."));
    }
    if data.len() > MAX_EVENT_BYTES {
        return error("too-large", format!("An event has at most {MAX_EVENT_BYTES} bytes."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(events: &[(&str, &str)]) -> &'static str {
        let answer = CallEvents::default().add(events.iter().copied());
        answer.map_or_else(|error| error.code, |()| "ok")
    }

    #[test]
    fn topics_and_sizes_are_checked() {
        assert_eq!(code(&[("mine", "{}")]), "ok");
        for topic in HOST_TOPICS {
            assert_eq!(code(&[("mine", "{}"), (topic, "{}")]), "denied");
        }
        for topic in ["", "Mine", "my topic", &"a".repeat(65)] {
            assert_eq!(code(&[(topic, "{}")]), "bad-topic");
        }
        assert_eq!(code(&[("mine", &"x".repeat(MAX_EVENT_BYTES + 1))]), "too-large");
    }

    #[test]
    fn a_call_has_a_share() {
        let mut call = CallEvents::default();
        for _ in 0..10 {
            call.add([("mine", "{}"); 10]).unwrap();
        }
        assert_eq!(call.add([("mine", "{}")]).unwrap_err().code, "limit");
        let data = "x".repeat(60_000);
        let mut call = CallEvents::default();
        assert_eq!(call.add([("mine", data.as_str()); 20]).unwrap_err().code, "limit");
        call.add([("mine", data.as_str()); 10]).unwrap();
        assert_eq!(call.add([("mine", data.as_str()); 10]).unwrap_err().code, "limit");
    }
}
