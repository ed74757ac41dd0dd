//! The plugin's own settings, which the operator sets (`galley plugins config SLOT key=value`), and secrets, which the plugin
//! never sees: they go with requests of [`outbound`](crate::outbound) to the hosts that
//! [`Plugin::host_with`](crate::Plugin::host_with) names. A change is in force with the next call.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, config};
//!
//! let plugin = Plugin::new("demo", "1.0.0")
//!     .setting("days", 7, "Days until somebody is reminded")
//!     .secret("token", "The token of api.example.com");
//! let host = TestHost::new(plugin);
//! assert_eq!(host.run(|| config::get::<u32>("days")), Some(7));
//! host.configure("days", "3");
//! assert_eq!(host.run(|| config::get::<u32>("days")), Some(3));
//! assert_eq!(host.run(|| config::get::<String>("token")), None);
//! assert!(!host.run(|| config::has_secret("token")));
//! ```

use serde::de::DeserializeOwned;

/// A setting: what the operator set, otherwise the default. `None` for a key that the plugin does not declare, for a secret, and
/// when the value is of another type.
pub fn get<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&crate::host::config::get(key)?).ok()
}

/// Whether the operator set a secret.
pub fn has_secret(key: &str) -> bool {
    crate::host::config::has_secret(key)
}
