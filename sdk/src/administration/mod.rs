//! The administration of the instance: its accounts, invitations, rules, settings, mail server and audit log. One module
//! for each interface, and each is a permission of its own.
//!
//! Every function asks that the current caller may administer the instance, and that this is still so when the change is
//! made: `denied` otherwise, which becomes a 403. What changes something is in the audit log, durable and in force when
//! the function returns.

pub mod audit;
pub mod domain_rules;
pub mod instance_settings;
pub mod invites;
pub mod mail_server;
pub mod members;
