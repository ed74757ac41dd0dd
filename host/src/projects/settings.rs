//! Reading and changing the instance's settings.

use serde_json::{Value, json};

use crate::accounts::{Actor, audit};
use crate::core::{ANONYMOUS, Core, CoreError, PUBLIC_LINKS, Settings, Subject};
use crate::storage::engine::Rows;

/// Settings to change; `None` leaves a setting as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct SettingsChange {
    /// See [`Settings::allow_public_links`].
    pub allow_public_links: Option<bool>,
    /// See [`Settings::allow_anonymous_comments`].
    pub allow_anonymous_comments: Option<bool>,
}

impl Core {
    /// The settings as they are now.
    pub fn settings(&self) -> Settings {
        *self.memory.settings.read()
    }

    /// Changes settings; they are in force when this resolves.
    pub async fn update_settings(&self, actor: &Actor, change: SettingsChange) -> Result<Settings, CoreError> {
        let actor = actor.clone();
        let write = move |rows: &mut Rows<'_>| {
            let before = Settings::load(rows)?;
            let fields = [
                (PUBLIC_LINKS, before.allow_public_links, change.allow_public_links),
                (
                    ANONYMOUS,
                    before.allow_anonymous_comments,
                    change.allow_anonymous_comments,
                ),
            ];
            let changed = fields.into_iter().filter_map(|(key, from, to)| Some((key, from, to?)));
            let changed: Vec<_> = changed.filter(|(_, from, to)| from != to).collect();
            if changed.is_empty() {
                return Ok(before);
            }
            let details = changed
                .iter()
                .map(|(key, from, to)| ((*key).to_owned(), json!({ "from": from, "to": to })));
            audit::record(
                rows,
                &actor,
                "settings-changed",
                "settings",
                Value::Object(details.collect()),
            )?;
            for (key, _, to) in &changed {
                let sql = "INSERT INTO settings (key, value) VALUES (?1, ?2)
                           ON CONFLICT (key) DO UPDATE SET value = excluded.value";
                rows.execute(sql, (key, to.to_string()))?;
            }
            Settings::load(rows)
        };
        self.change(
            write,
            |_| Subject::Settings,
            |memory, settings| *memory.settings.write() = *settings,
        )
        .await
    }
}
