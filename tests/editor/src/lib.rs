//! The harness of the Editor's black-box tests: repositories, the program, Chromium.

pub mod paths;
