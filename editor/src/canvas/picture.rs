//! Taking one picture: all of a page, in a width and a scheme.

use std::time::Duration;

use tokio::time::timeout;

use super::error::CanvasError;
use super::shot::Shot;
use crate::review::{Clip, ReviewError, Surface, View};

/// How long a page may take; the browser may have to start, and the dev server to compile.
const SHOT_TIMEOUT: Duration = Duration::from_secs(30);
/// A picture shows no more of a page, in CSS pixels.
const MAX_HEIGHT: u32 = 6_000;
/// A larger picture is not kept; in bytes.
const MAX_PICTURE: usize = 8 << 20;
/// The first status that says that the server failed: the page is the dev server's word, or the Editor's, and not the prototype's.
const FIRST_FAILURE: u64 = 500;

/// A picture of a page.
#[derive(Debug)]
pub struct Taken {
    /// PNG.
    pub png: Vec<u8>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The page is higher than what is shown.
    pub is_cut: bool,
}

/// Takes a picture.
///
/// # Errors
/// [`CanvasError::NoBrowser`] and [`CanvasError::Page`].
pub async fn take(surface: &Surface, shot: &Shot) -> Result<Taken, CanvasError> {
    let late = || ReviewError::Page(format!("it did not show within {} seconds", SHOT_TIMEOUT.as_secs()));
    let taken = timeout(SHOT_TIMEOUT, look(surface, shot)).await;
    taken.unwrap_or_else(|_| Err(late())).map_err(|error| match error {
        ReviewError::Page(words) => CanvasError::Page {
            page: shot.page.as_str().to_owned(),
            words,
        },
        error => CanvasError::NoBrowser(error),
    })
}

async fn look(surface: &Surface, shot: &Shot) -> Result<Taken, ReviewError> {
    let view = View {
        width: shot.width.pixels(),
        scheme: Some(shot.scheme),
    };
    let mut page = surface.open_in(shot.page.as_str(), view).await?;
    let status = page.status().await?;
    if status >= FIRST_FAILURE {
        return Err(ReviewError::Page(format!("it is answered with status {status}")));
    }
    page.scroll_through().await?;
    let (_, whole) = page.size().await?;
    let (width, height) = (view.width, whole.min(MAX_HEIGHT));
    let clip = Clip {
        x: 0,
        y: 0,
        width,
        height,
    };
    let png = page.picture_of(clip).await?;
    if png.len() > MAX_PICTURE {
        return Err(ReviewError::Page(format!(
            "its picture is larger than {} MiB",
            MAX_PICTURE >> 20
        )));
    }
    Ok(Taken {
        png,
        width,
        height,
        is_cut: whole > MAX_HEIGHT,
    })
}
