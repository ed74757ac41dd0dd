//! The three configuration files, each with its own loader.
