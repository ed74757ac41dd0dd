//! `galley:settings`.

use super::contract::galley::settings::settings::Host;
use super::{Capability, State};

impl Host for State {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<String>> {
        if self.enter_granted(Capability::Settings)?.is_err() {
            return Ok(None);
        }
        let services = &self.slot.services;
        let settings = services.core.settings();
        let value = match key.as_str() {
            "allowPublicLinks" => settings.allow_public_links.into(),
            "allowAnonymousComments" => settings.allow_anonymous_comments.into(),
            "publicUrl" => serde_json::Value::from(services.config.public_url.as_str()),
            "codeHostInstallUrl" => match &services.code_host {
                Some(app) => app.install_url().into(),
                None => return Ok(None),
            },
            "cluster" => services.core.is_shared().into(),
            _ => return Ok(None),
        };
        Ok(Some(value.to_string()))
    }
}
