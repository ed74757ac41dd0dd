//! `galley:administration/instance-settings`.

use super::a::instance_settings::{Change, Host, Settings};
use super::{administered, describe};
use crate::capabilities::{Problem, State};
use crate::core;
use crate::projects::SettingsChange;

impl From<core::Settings> for Settings {
    fn from(settings: core::Settings) -> Self {
        Self {
            allow_public_links: settings.allow_public_links,
            allow_anonymous_comments: settings.allow_anonymous_comments,
        }
    }
}

impl Host for State {
    fn get(&mut self) -> wasmtime::Result<Result<Settings, Problem>> {
        administered!(self, InstanceSettings);
        Ok(Ok(self.slot.services.core.settings().into()))
    }

    async fn update(&mut self, change: Change) -> wasmtime::Result<Result<Settings, Problem>> {
        let actor = administered!(self, InstanceSettings);
        let change = SettingsChange {
            allow_public_links: change.allow_public_links,
            allow_anonymous_comments: change.allow_anonymous_comments,
        };
        let settings = self.slot.services.core.update_settings(&actor, change).await;
        Ok(settings.map(Settings::from).map_err(describe))
    }
}
