//! Why a page is not read.

/// Why no page can be read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReviewError {
    /// `EDITOR_REVIEW_SURFACE` says so.
    #[error("the review browser is switched off (EDITOR_REVIEW_SURFACE)")]
    Off,
    /// There is no Chromium.
    #[error("no Chromium was found: install one, or name it in EDITOR_BROWSER")]
    Missing,
    /// It cannot be started, or has ended.
    #[error("the review browser failed: {0}")]
    Failed(String),
    /// The page does not load, or leaves the preview.
    #[error("the page cannot be read: {0}")]
    Page(String),
}
