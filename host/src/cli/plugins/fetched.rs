//! An artifact on its way to the server.

/// An artifact that was fetched.
pub struct Fetched {
    /// Where it came from: an absolute path, or an address.
    pub name: String,
    /// Its bytes.
    pub wasm: Vec<u8>,
    /// The signature that came with it: a registry keeps both in one place.
    pub signature: Option<String>,
}
