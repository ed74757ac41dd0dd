//! Building plugins in Rust, for `galley plugins build` and for the project's own build: [`toolchain`] finds a compiler for
//! WebAssembly, [`modules`] calls cargo so that the same sources give the same bytes in every folder, [`package`] reads what
//! cargo knows of a plugin's folder. The modules become components in the server's program.

pub mod modules;
pub mod package;
pub mod process;
pub mod toolchain;
