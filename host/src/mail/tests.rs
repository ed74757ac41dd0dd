//! The mailer's own rules: what is set, what is queued.
