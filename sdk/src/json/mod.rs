//! Reading and writing JSON. Errors of the reader name the wrong field; the writer is fast for answers that are mostly text.
//!
//! ```
//! use galley_sdk::json;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Serialize, Deserialize)]
//! struct Position {
//!     page: String,
//! }
//!
//! let error = json::from_slice::<Position>(br#"{ "page": 5 }"#).unwrap_err();
//! assert_eq!(error.to_string(), "`page` must be a string");
//! assert_eq!(json::to_vec(&Position { page: "/\"".into() }).unwrap(), br#"{"page":"/\""}"#);
//! ```

mod buffer;
mod raw;
mod read;
mod serializer;
mod write;

pub use raw::Raw;
pub use read::{FieldError, from_slice, from_value};
pub use serializer::WriteError;
pub use write::to_vec;
