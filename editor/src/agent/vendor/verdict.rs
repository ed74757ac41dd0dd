//! How the program says that a turn is over.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::models::{Failure, FailureKind, Usage};

/// A failure's words are cut here, in characters.
const MAX_WORDS: usize = 500;

/// The end of a turn, and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Why it failed. A turn that was stopped failed with [`FailureKind::Stopped`].
    pub end: Result<(), Failure>,
    /// Dollars that its vendor counts for it.
    pub usd: f64,
    /// Tokens.
    pub usage: Usage,
}

impl Verdict {
    /// Reads a `result`; `resets` is when a rate limit ends, in seconds since 1970.
    pub(super) fn read(result: &Value, resets: Option<u64>) -> Self {
        let tokens = |key: &str| result["usage"][key].as_u64().unwrap_or_default();
        Self {
            end: end(result, resets),
            usd: result["total_cost_usd"].as_f64().unwrap_or_default(),
            usage: Usage {
                input: tokens("input_tokens"),
                output: tokens("output_tokens"),
                cache_read: tokens("cache_read_input_tokens"),
                cache_write: tokens("cache_creation_input_tokens"),
                ..Usage::default()
            },
        }
    }
}

fn end(result: &Value, resets: Option<u64>) -> Result<(), Failure> {
    if result["terminal_reason"] == "aborted_streaming" {
        return Err(Failure::new(FailureKind::Stopped, "it was stopped"));
    }
    // A failure calls itself a success, with a mark.
    if result["is_error"] != true && result["subtype"] == "success" {
        return Ok(());
    }
    let status = result["api_error_status"].as_u64();
    let failure = match status {
        Some(401) => Failure::new(FailureKind::Authentication, "sign in again in the vendor tool"),
        Some(429) => {
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs());
            let wait = resets.map(|at| Duration::from_secs(at.saturating_sub(now).max(1)));
            Failure::new(FailureKind::RateLimited(wait), "the vendor's program is rate-limited")
        }
        _ => {
            let words = result["result"].as_str().filter(|words| !words.is_empty());
            let words = words.or(result["subtype"].as_str()).unwrap_or("without a reason");
            let words: String = words.chars().take(MAX_WORDS).collect();
            Failure::new(FailureKind::Server, format!("the vendor's program failed: {words}"))
        }
    };
    Err(Failure {
        status: status.and_then(|status| u16::try_from(status).ok()),
        ..failure
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn failures_that_call_themselves_a_success_are_failures() {
        let read = |result: &Value| Verdict::read(result, None).end;
        assert_eq!(read(&json!({ "subtype": "success", "is_error": false })), Ok(()));
        let kind = |result: &Value| read(result).unwrap_err().kind;
        let marked = |status: u64| json!({ "subtype": "success", "is_error": true, "api_error_status": status });
        assert_eq!(kind(&marked(401)), FailureKind::Authentication);
        assert_eq!(kind(&marked(429)), FailureKind::RateLimited(None));
        assert_eq!(kind(&marked(529)), FailureKind::Server);
        assert_eq!(kind(&json!({})), FailureKind::Server);
        let aborted =
            json!({ "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming" });
        assert_eq!(kind(&aborted), FailureKind::Stopped);
        // A limit that ended while it was told of is over in a second.
        let Err(Failure { kind, .. }) = Verdict::read(&marked(429), Some(1)).end else {
            panic!("it failed")
        };
        assert_eq!(kind, FailureKind::RateLimited(Some(Duration::from_secs(1))));
    }
}
