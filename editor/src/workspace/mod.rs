//! The repository on disk: files, backups, the journal of edits, git.
