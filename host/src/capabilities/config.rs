//! `galley:config`: what the operator set for a plugin. Settings are read by the plugin; secrets go with requests only.

use data_encoding::BASE64;

use super::chosen::purpose;
use super::contract::galley::config::config::Host;
use super::{SlotState, State};
use crate::config::Secret;
use crate::storage::seal::Sealer;

impl SlotState {
    /// A secret that the operator set. One that does not open counts as not set, and the log says so.
    pub fn secret(&self, sealer: &Sealer, key: &str) -> Option<Secret> {
        let chosen = self.chosen.load();
        let sealed = chosen.secrets.get(key)?;
        let opened = BASE64.decode(sealed.as_bytes()).ok().and_then(|sealed| {
            let bytes = sealer.unseal(&purpose(&self.name, key), &sealed).ok()?;
            String::from_utf8(bytes).ok()
        });
        if opened.is_none() {
            tracing::error!(
                slot = self.name,
                "the secret `{key}` of the slot `{}` cannot be opened: set it again with `galley plugins config`",
                self.name
            );
        }
        opened.map(Secret::new)
    }
}

impl Host for State {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<String>> {
        self.enter()?;
        let Some(setting) = self.slot.settings.iter().find(|setting| setting.key == key) else {
            return Ok(None);
        };
        let chosen = self.slot.chosen.load();
        let stored = chosen.settings.get(&key).map(String::as_str);
        let value = setting.value(stored);
        Ok(value.and_then(|value| serde_json::to_string(&value).ok()))
    }

    fn has_secret(&mut self, key: String) -> wasmtime::Result<bool> {
        self.enter()?;
        let is_declared = self
            .slot
            .settings
            .iter()
            .any(|setting| setting.key == key && setting.kind == galley_manifest::SettingKind::Secret);
        Ok(is_declared && self.slot.chosen.load().secrets.contains_key(&key))
    }
}
