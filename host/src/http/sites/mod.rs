//! Serving prototypes.

use axum::response::Response;
use http::request::Parts;

use crate::capabilities::Services;

/// Serves prototypes.
pub struct Sites;

impl Sites {
    /// Makes it.
    pub fn new(_services: &Services, _bridge: Vec<u8>) -> anyhow::Result<Self> {
        Ok(Self)
    }

    /// What an operator should know.
    pub fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Answers what is a prototype's.
    pub async fn serve(&self, _request: &Parts) -> Option<Response> {
        None
    }

    /// Answers by the referer.
    pub async fn fallback(&self, _request: &Parts) -> Option<Response> {
        None
    }
}
