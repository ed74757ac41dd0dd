//! `core.db`: accounts, sessions, tokens, projects, access lists, settings and the event outbox, with their invariants.
