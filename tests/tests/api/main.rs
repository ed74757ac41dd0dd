//! The specification, held from outside: one module for each of its sections, each test named after the rule it holds.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod access;
mod archives;
mod boot;
mod callers;
mod codehost_sign_in;
mod comment_rights;
mod comment_stream;
mod comments;
mod deployments;
mod discovery;
mod global;
mod hidden;
mod hostile_http;
mod hostile_json;
mod html;
mod log_stream;
mod members;
mod own_origin;
mod participants;
mod projects;
mod push;
mod replies;
mod repo;
mod resolve;
mod serving;
mod serving_bytes;
mod serving_cache;
mod session;
mod sign_in;
mod tokens;
mod upload;
