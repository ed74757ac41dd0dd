//! What is mailed to a person.

use serde::{Deserialize, Serialize};

/// A notification. The mail says how to unsubscribe.
#[derive(Debug, Clone)]
pub struct Note {
    /// Identifies the note: one mail is sent for each key.
    pub key: String,
    /// An address.
    pub to: String,
    /// One line.
    pub subject: String,
    /// The heading of the mail's text.
    pub heading: String,
    /// Plain paragraphs, separated by empty lines. A paragraph whose lines begin with `> ` is a quotation.
    pub text: String,
    /// The mail's link: an address of this instance.
    pub link: String,
    /// What of a project its text tells; `None` when it tells nothing of one.
    pub about: Option<About>,
    /// The sender, when the addressee has no account. A sender reaches a bounded number of new addresses a day.
    pub sender: Option<String>,
}

/// The project of a note, and who may read the note. Both are looked at again before it is sent: that may be days later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The project's id.
    pub project: String,
    /// Whether the text is for accounts that may read the project, and not for an address without an account.
    pub for_readers: bool,
}
