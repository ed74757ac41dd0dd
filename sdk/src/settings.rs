//! The instance's settings, read-only.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, settings};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.setting("allowPublicLinks", false);
//! assert_eq!(host.run(|| settings::get::<bool>("allowPublicLinks")), Some(false));
//! assert_eq!(host.run(|| settings::get::<bool>("unknown")), None);
//! ```

use serde::de::DeserializeOwned;

/// A setting as it is now; `None` for an unknown key or when it is of another type.
pub fn get<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&crate::host::settings::get(key)?).ok()
}
