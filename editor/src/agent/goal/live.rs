//! Reading the page that people look at, in the preview of the interface: where the review browser does not show the element, or
//! there is none. The prototype's scripts share the page, so an answer is a claim: it is parsed, its size is bounded, and it decides
//! about nothing but the change of the page that makes it.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::look::{Look, Unseen};
use crate::review;

/// What of an answer is taken, and the characters of each text of it.
const MAX_COMPLAINTS: usize = 50;
const MAX_DIFFERENCES: usize = 12;
const MAX_WORDS: usize = 400;

/// The page in the preview, as far as an interface shows it.
pub trait Preview: Send + Sync {
    /// Asks `review/live.mjs` in it. `None` when nobody answers in time.
    fn ask(&self, question: Value) -> BoxFuture<'_, Option<Value>>;

    /// The same where no answer is waited for.
    fn tell(&self, question: Value);
}

/// A page that was asked to read.
pub(super) struct Live {
    preview: Arc<dyn Preview>,
    /// Its name for what the page keeps.
    reader: String,
    file: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Answer {
    Ready {
        complaints: Vec<String>,
    },
    Unable,
    Seen {
        overlay: Option<String>,
        complaints: Vec<String>,
        differences: Vec<Difference>,
        elements: u64,
        shows: bool,
    },
    /// The mouse or the focus is elsewhere than before.
    Busy,
    Ended,
    /// It was loaded anew, or no longer shows the element.
    Gone,
}

#[derive(Deserialize, Serialize)]
struct Difference {
    element: String,
    aspect: String,
    wanted: String,
    found: String,
}

impl Live {
    /// Asks the page to learn how it should look after an edit, or without one to be looked at later; gives what it complained of,
    /// too. `None` when no page can.
    pub(super) async fn begin(
        preview: Arc<dyn Preview>,
        request: Option<&Value>,
        file: Option<&str>,
    ) -> Option<(Self, BTreeSet<String>)> {
        let live = Self {
            preview,
            reader: format!("{:016x}", rand::random::<u64>()),
            file: file.map(str::to_owned),
        };
        let question = json!({ "do": "begin", "reader": live.reader, "request": request });
        match live.ask(question).await? {
            Answer::Ready { complaints } => Some((live, general(complaints))),
            _ => None,
        }
    }

    /// Has the page forget what it complained of.
    pub(super) async fn forget(&self) {
        let _ = self.ask(json!({ "do": "forget", "reader": self.reader })).await;
    }

    /// Looks at it; `trees` has the elements of each changed file, before and after.
    pub(super) async fn look(&self, trees: &Value) -> Result<Look, Unseen> {
        let question = json!({ "do": "look", "reader": self.reader, "trees": trees, "file": self.file });
        match self.ask(question).await {
            Some(Answer::Seen {
                overlay,
                complaints,
                differences,
                elements,
                shows,
            }) => Ok(Look {
                overlay: overlay.map(short),
                complaints: general(complaints),
                differences: named(differences),
                elements,
                shows,
            }),
            Some(Answer::Busy) => Err(Unseen::Away("the page was in use while it was read")),
            Some(_) => Err(Unseen::Away("the page was loaded anew, or no longer shows the element")),
            None => Err(Unseen::Away("the page in the preview did not answer")),
        }
    }

    async fn ask(&self, question: Value) -> Option<Answer> {
        let answer = self.preview.ask(question).await?;
        serde_json::from_value(answer).ok()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.preview.tell(json!({ "do": "end", "reader": self.reader }));
    }
}

fn general(complaints: Vec<String>) -> BTreeSet<String> {
    let heard = complaints.into_iter().take(MAX_COMPLAINTS);
    heard.filter_map(|words| review::complaint(&words)).collect()
}

fn named(differences: Vec<Difference>) -> Value {
    let named = differences.into_iter().take(MAX_DIFFERENCES);
    let named = named.map(|one| Difference {
        element: short(one.element),
        aspect: short(one.aspect),
        wanted: short(one.wanted),
        found: short(one.found),
    });
    json!(named.collect::<Vec<_>>())
}

fn short(mut words: String) -> String {
    if let Some((end, _)) = words.char_indices().nth(MAX_WORDS) {
        words.truncate(end);
    }
    words
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    struct Page {
        answer: Option<Value>,
        told: Mutex<Vec<Value>>,
    }

    impl Preview for Page {
        fn ask(&self, question: Value) -> BoxFuture<'_, Option<Value>> {
            let is_begin = question["do"] == "begin";
            let ready = is_begin.then(|| json!({ "is": "ready", "complaints": [] }));
            let answer = ready.or_else(|| self.answer.clone());
            Box::pin(async move { answer })
        }

        fn tell(&self, question: Value) {
            self.told.lock().push(question);
        }
    }

    async fn look(answer: Option<Value>) -> Result<Look, Unseen> {
        let page = Arc::new(Page {
            answer,
            told: Mutex::default(),
        });
        let begun = Live::begin(Arc::clone(&page) as Arc<dyn Preview>, None, None).await;
        let (live, _) = begun.expect("it is ready");
        let look = live.look(&json!({})).await;
        drop(live);
        assert_eq!(page.told.lock()[0]["do"], "end");
        look
    }

    #[tokio::test]
    async fn what_a_page_claims_is_bounded() {
        let word = "x".repeat(100_000);
        let difference = json!({ "element": word, "aspect": word, "wanted": word, "found": word });
        let seen = json!({
            "is": "seen",
            "overlay": word,
            "complaints": vec![word.clone(); 1_000],
            "differences": vec![difference; 1_000],
            "elements": 3,
            "shows": true,
        });
        let look = look(Some(seen)).await.expect("it is an answer");
        assert_eq!(look.overlay.map(|words| words.len()), Some(MAX_WORDS));
        assert_eq!(look.differences.as_array().map(Vec::len), Some(MAX_DIFFERENCES));
        assert!(look.differences.to_string().len() < MAX_DIFFERENCES * 4 * (MAX_WORDS + 20));
        assert!(look.complaints.iter().all(|words| words.len() <= MAX_WORDS));
    }

    #[tokio::test]
    async fn what_is_no_answer_lets_nothing_through() {
        let lies = [
            json!(null),
            json!("seen"),
            json!({ "is": "seen" }),
            json!({ "is": "seen", "overlay": null, "complaints": [], "differences": "none", "elements": 1, "shows": true }),
            json!({ "is": "ready", "complaints": [] }),
            json!({ "is": "fine" }),
        ];
        for lie in lies.into_iter().map(Some).chain([None]) {
            let seen = look(lie.clone()).await;
            assert!(matches!(seen, Err(Unseen::Away(_))), "{lie:?}");
        }
    }
}
