//! Notification mails. The host renders a mail, sends it in the background, and sends nothing to people who unsubscribed.
//!
//! ```
//! use galley_sdk::mail::{self, Note};
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, projects};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.project("p1");
//! host.run(|| {
//!     let project = projects::get("p1").expect("the project");
//!     mail::notify(&Note {
//!         key: "greeting".into(),
//!         to: "mo@example.com".into(),
//!         subject: "Hello".into(),
//!         heading: "Hello, Mo".into(),
//!         text: "The prototype is ready.\n\n> have a look".into(),
//!         link: project.url,
//!         project: project.id,
//!     })
//! })
//! .unwrap();
//! assert_eq!(host.mailed()[0].to, "mo@example.com");
//! ```

pub use crate::bindings::galley::mail::mail::Note;

use crate::error::Problem;

/// Queues a note; durable when it returns. The same key to the same address is sent once. Also `Ok` when nothing is sent:
/// no mail server is set, or the addressee unsubscribed or may not read the project.
///
/// Codes: `invalid`, `not-found` (the project), `too-many` (mails for this address), `limit` (200 notes in one call).
pub fn notify(note: &Note) -> Result<(), Problem> {
    crate::host::mail::notify(note)
}

/// Queues a note that a person causes, as [`notify`] does. `sender` names the person in the plugin's own words (1 to 200
/// bytes), and reaches at most 20 new addresses without an account a day. Such an address reads `outline` in place of the
/// note's text, so `outline` must hold nothing that others wrote.
pub fn notify_by(note: &Note, sender: &str, outline: &str) -> Result<(), Problem> {
    crate::host::mail::notify_by(note, sender, outline)
}
