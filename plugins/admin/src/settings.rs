//! The instance's settings: the routes `…/instance/settings`.

use galley_sdk::administration::instance_settings::{self, Change, Settings};
use galley_sdk::administration::mail_server;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::mail::Email;

/// The settings in the API's format.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    allow_public_links: bool,
    allow_anonymous_comments: bool,
    /// The sender address; null without a mail server.
    email_from: Option<String>,
    email: Email,
}

fn shown(settings: Settings) -> Result<Json<Shown>> {
    let email = Email::from(mail_server::get()?);
    Ok(Json(Shown {
        allow_public_links: settings.allow_public_links,
        allow_anonymous_comments: settings.allow_anonymous_comments,
        email_from: email.from.clone(),
        email,
    }))
}

/// GET `…/settings`.
pub fn show() -> Result<Json<Shown>> {
    shown(instance_settings::get()?)
}

/// The body of a change. Missing members stay as they are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingsBody {
    allow_public_links: Option<bool>,
    allow_anonymous_comments: Option<bool>,
}

/// PATCH `…/settings`: 200 with the settings, which are in force.
pub fn update(Json(body): Json<SettingsBody>) -> Result<Json<Shown>> {
    let change = Change {
        allow_public_links: body.allow_public_links,
        allow_anonymous_comments: body.allow_anonymous_comments,
    };
    shown(instance_settings::update(change)?)
}
