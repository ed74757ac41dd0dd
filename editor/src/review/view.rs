//! How a page is looked at.

use serde::{Deserialize, Serialize};

/// What a page is told of its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// In CSS pixels.
    pub width: u32,
    /// What `prefers-color-scheme` says; without it what the browser says by itself.
    pub scheme: Option<Scheme>,
}

/// The colours that somebody prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

/// A part of a page, from its top left corner, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clip {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// To the right.
    pub width: u32,
    /// Downwards.
    pub height: u32,
}
