//! The instance's settings, as they are stored.

use super::error::CoreError;
use crate::storage::engine::Rows;

/// The settings as they are now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whether projects may be open to everybody who has the link. Off until an admin allows it.
    pub allow_public_links: bool,
    /// Whether people without an account may add remarks where they may read. On until an admin forbids it.
    pub allow_anonymous_comments: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            allow_public_links: false,
            allow_anonymous_comments: true,
        }
    }
}

/// The key of [`Settings::allow_public_links`].
pub(crate) const PUBLIC_LINKS: &str = "allowPublicLinks";
/// The key of [`Settings::allow_anonymous_comments`].
pub(crate) const ANONYMOUS: &str = "allowAnonymousComments";

impl Settings {
    pub(crate) fn load(rows: &mut Rows<'_>) -> Result<Self, CoreError> {
        let mut settings = Self::default();
        let sql = "SELECT key, value FROM settings";
        for (key, value) in rows.fetch_all(sql, (), |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))? {
            match key.as_str() {
                PUBLIC_LINKS => settings.allow_public_links = value == "true",
                ANONYMOUS => settings.allow_anonymous_comments = value == "true",
                _ => {}
            }
        }
        Ok(settings)
    }
}
