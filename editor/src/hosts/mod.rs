//! The dev server: starting one, or attaching to one that runs.
