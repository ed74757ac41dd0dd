//! The specification, held from outside: one module for each of its sections, each test named after the rule it holds.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod access;
mod admission;
mod archives;
mod backup;
mod boot;
mod callers;
mod comment_rights;
mod comment_stream;
mod comments;
mod deployments;
mod global;
mod hidden;
mod hostile_http;
mod hostile_json;
mod html;
mod instance_access;
mod instance_audit;
mod instance_domain_rules;
mod instance_invites;
mod instance_members;
mod instance_settings;
mod invites;
mod log_stream;
mod magic_link;
mod mail;
mod members;
mod mentions_mail;
mod metrics;
mod openapi;
mod own_origin;
mod participants;
mod projects;
mod replies;
mod resolve;
mod serving;
mod serving_bytes;
mod serving_cache;
mod session;
mod sign_in;
mod sign_in_links;
mod sign_in_page;
mod tokens;
mod unsubscribe;
mod upload;
