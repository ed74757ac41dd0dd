//! The administration of the instance: its accounts, invitations, rules, settings, mail server and audit log. One module
//! for each interface. Each interface is a permission of its own.
//!
//! Every function answers `denied`, which becomes a 403, unless the current caller may administer the instance, and still may
//! when the change is made. When a function returns, its change is durable, in force and in the audit log.

pub mod audit;
pub mod domain_rules;
pub mod instance_settings;
pub mod invites;
pub mod mail_server;
pub mod members;
