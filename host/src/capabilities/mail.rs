//! `galley:mail`: notes to people. What a note may say and whom it may be sent is decided here; `crate::mail` sends it.

use galley_people::email;

use super::contract::galley::mail::mail::{Host, Note};
use super::state::granted;
use super::{Problem, State, problem, unexpected};
use crate::core::{Core, CoreError, Project};
use crate::identity::access;
use crate::mail;

/// The most notes of one call.
const MAX_NOTES: u32 = 200;
const MAX_KEY: usize = 200;
const MAX_LINE: usize = 200;
const MAX_TEXT: usize = 64 << 10;
const MAX_LINK: usize = 4_000;

impl Host for State {
    async fn notify(&mut self, note: Note) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Mail);
        let outline = note.text.clone();
        Ok(self.send(note, None, outline).await)
    }

    async fn notify_by(
        &mut self,
        note: Note,
        sender: String,
        outline: String,
    ) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Mail);
        Ok(self.send(note, Some(sender), outline).await)
    }
}

impl State {
    /// Queues a note. `sender` is `None` for the slot itself; `outline` is what strangers read in place of the text.
    async fn send(&mut self, note: Note, sender: Option<String>, outline: String) -> Result<(), Problem> {
        self.call.notes += 1;
        if self.call.notes > MAX_NOTES {
            let text = format!("One call can send at most {MAX_NOTES} notes.");
            return Err(problem("limit", text));
        }
        let services = &self.slot.services;
        let project = match self.call.system {
            true => services.core.project(&note.project),
            false => access::contribute(&services.core, &self.call.caller, &note.project).ok(),
        };
        let project = project.ok_or_else(|| problem("not-found", "There is no such project."))?;
        let homes = [
            services.config.project_url(&project.slug),
            services.config.public_url.clone(),
        ];
        check(&note, &homes)?;
        check_sender(sender.as_deref(), &outline)?;
        let addressee = addressee(&services.core, &note.to, &project).await?;
        if !services.mail.is_configured() || addressee == Addressee::Shut {
            return Ok(());
        }
        let is_stranger = addressee == Addressee::Stranger;
        let note = mail::Note {
            key: format!("{}:{}", self.slot.name, note.key),
            to: note.to,
            subject: note.subject,
            heading: note.heading,
            text: if is_stranger { outline } else { note.text },
            link: note.link,
            sender: is_stranger.then(|| format!("{}:{}", self.slot.name, sender.unwrap_or_default())),
        };
        match services.mail.note(note).await {
            // Mail was turned off in the meantime.
            Ok(()) | Err(CoreError::NoMailServer) => Ok(()),
            Err(CoreError::TooMany) => Err(problem(
                "too-many",
                "Enough mail was sent to this address, or by this sender to new addresses, for now.",
            )),
            Err(error) => Err(unexpected("a note could not be queued", &error)),
        }
    }
}

/// Whose the address is, and whether they may know what happens in the project. Nobody but the people who may read it
/// could have entered an address that has no account.
async fn addressee(core: &Core, address: &str, project: &Project) -> Result<Addressee, Problem> {
    let account = core
        .account_by_email(&email::normal(address))
        .await
        .map_err(|error| unexpected("an account could not be read", &error))?;
    Ok(match account {
        None => Addressee::Stranger,
        Some(account) if !account.removed && access::account_may_read(core, Some(&account), project) => {
            Addressee::Reader
        }
        Some(_) => Addressee::Shut,
    })
}

/// Who has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Addressee {
    /// An account that may read the project.
    Reader,
    /// An account that was removed, or may not read the project: they are told nothing.
    Shut,
    /// Nobody of the instance.
    Stranger,
}

/// Checks the bounds of what stands beside a note.
fn check_sender(sender: Option<&str>, outline: &str) -> Result<(), Problem> {
    if sender.is_some_and(|sender| sender.is_empty() || sender.len() > MAX_KEY) {
        return Err(problem("invalid", "`sender` must have 1 to 200 bytes."));
    }
    if outline.len() > MAX_TEXT {
        return Err(problem("invalid", "`outline` must have at most 65536 bytes."));
    }
    Ok(())
}

/// Checks the contract's bounds. `homes` are the addresses a link may lead to.
fn check(note: &Note, homes: &[String]) -> Result<(), Problem> {
    let invalid = |message: &str| Err(problem("invalid", message));
    let one_line = |text: &str| !text.trim().is_empty() && text.chars().count() <= MAX_LINE;
    let is_address = note.to.len() <= email::MAX_EMAIL && note.to.split_once('@').is_some() && is_plain(&note.to);
    if note.key.is_empty() || note.key.len() > MAX_KEY {
        return invalid("`key` must have 1 to 200 bytes.");
    }
    if !is_address {
        return invalid("`to` must be an email address.");
    }
    if !one_line(&note.subject) {
        return invalid("`subject` must have 1 to 200 characters.");
    }
    if !one_line(&note.heading) {
        return invalid("`heading` must have 1 to 200 characters.");
    }
    if note.text.len() > MAX_TEXT {
        return invalid("`text` must have at most 65536 bytes.");
    }
    if note.link.len() > MAX_LINK || !is_plain(&note.link) || !homes.iter().any(|home| is_below(&note.link, home)) {
        return invalid("`link` must lead to the project's prototype or to this instance.");
    }
    Ok(())
}

/// Without line ends and spaces.
fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// Whether an address is a place below another one: `https://a.org.evil.example` is not below `https://a.org`.
fn is_below(link: &str, home: &str) -> bool {
    let home = home.trim_end_matches('/');
    link.strip_prefix(home)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note() -> Note {
        Note {
            key: "k".into(),
            to: "mo@example.org".into(),
            subject: "s".into(),
            heading: "h".into(),
            text: "t".into(),
            link: "https://a.org/p/demo/".into(),
            project: "p".into(),
        }
    }

    fn refused(change: impl FnOnce(&mut Note)) -> Option<String> {
        let mut note = note();
        change(&mut note);
        let homes = ["https://demo.serve.org/".to_owned(), "https://a.org".to_owned()];
        check(&note, &homes).err().map(|problem| problem.message)
    }

    #[test]
    fn each_bound_names_its_field() {
        assert_eq!(refused(|_| {}), None);
        type Change = fn(&mut Note);
        let wrong: [(&str, Change); 8] = [
            ("`key`", |note| note.key.clear()),
            ("`key`", |note| note.key = "k".repeat(201)),
            ("`to`", |note| note.to = "mo".into()),
            ("`to`", |note| note.to = "mo@x.org\r\nBcc: a@x.org".into()),
            ("`subject`", |note| note.subject = " \n".into()),
            ("`subject`", |note| note.subject = "é".repeat(201)),
            ("`heading`", |note| note.heading.clear()),
            ("`text`", |note| note.text = "t".repeat(MAX_TEXT + 1)),
        ];
        for (field, change) in wrong {
            let message = refused(change);
            assert!(
                message.as_deref().is_some_and(|text| text.starts_with(field)),
                "{field}: {message:?}"
            );
        }
    }

    #[test]
    fn a_link_leads_nowhere_else() {
        for link in [
            "https://a.org",
            "https://a.org/x?y#z",
            "https://a.org?x",
            "https://demo.serve.org/about",
        ] {
            assert_eq!(refused(|note| note.link = link.into()), None, "{link}");
        }
        for link in [
            "",
            "/p/demo/",
            "http://a.org/",
            "https://a.org.evil.example/",
            "https://a.org@evil.example/",
            "https://a.org:1/",
            "https://other.serve.org/",
            "javascript:alert(1)",
            "https://a.org/\r\nx",
        ] {
            assert!(refused(|note| note.link = link.into()).is_some(), "{link}");
        }
    }
}
