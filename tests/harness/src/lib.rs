//! What the black-box tests of the server and of the Editor share. It knows nothing of either.

pub mod disk;
pub mod http;
pub mod node;
pub mod poll;
pub mod process;
pub mod sse;
pub mod table;
pub mod usage;
