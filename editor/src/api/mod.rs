//! The local API of the interface.
