//! What tests of the server and of the Editor share. It knows nothing of either.

pub mod accept;
pub mod bundle;
pub mod daemon;
pub mod disk;
pub mod http;
pub mod node;
pub mod paths;
pub mod patroni;
pub mod pgbouncer;
pub mod poll;
pub mod ports;
pub mod postgres;
pub mod postgres_programs;
pub mod process;
pub mod scratch;
pub mod seaweedfs;
pub mod sse;
pub mod table;
pub mod usage;
