//! What is mailed to a person.

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
    /// The sender, when the addressee has no account. A sender reaches a bounded number of new addresses a day.
    pub sender: Option<String>,
}
