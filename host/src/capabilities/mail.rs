//! `galley:mail`: notes to people. What a note may say and whom it may be sent is decided here; `crate::mail` sends it.

use galley_manifest::{MAX_NOTES, NoteParts, check_sender};

use super::contract::galley::mail::mail::{Host, Note};
use super::state::granted;
use super::{Problem, State, problem, unexpected};
use crate::core::CoreError;
use crate::identity::access;
use crate::mail::{self, Addressee};

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
        let prototype = services.config.project_url(&project.slug);
        let checked = parts(&note).check(&[&prototype, &services.config.public_url]);
        checked.map_err(|rule| problem("invalid", rule))?;
        if let Some(sender) = &sender {
            check_sender(sender, &outline).map_err(|rule| problem("invalid", rule))?;
        }
        let addressee = Addressee::of(&services.core, &note.to, &project)
            .await
            .map_err(|error| unexpected("an account could not be read", &error))?;
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
            about: Some(mail::About {
                project: project.id.clone(),
                for_readers: !is_stranger,
            }),
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

fn parts(note: &Note) -> NoteParts<'_> {
    NoteParts {
        key: &note.key,
        to: &note.to,
        subject: &note.subject,
        heading: &note.heading,
        text: &note.text,
        link: &note.link,
    }
}
