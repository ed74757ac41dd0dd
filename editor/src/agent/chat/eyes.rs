//! Looking at the page: a picture of it as the review browser shows it, and what it complains of.

use std::time::Duration;

use data_encoding::BASE64;
use serde_json::Value;
use tokio::time::timeout;

use crate::review::{ReviewError, Surface};

/// How long a look may take; the browser may have to start.
pub(super) const LOOK_TIMEOUT: Duration = Duration::from_secs(30);
/// How wide a page is, in CSS pixels, unless the model asks for another width.
pub(super) const WIDTH: u32 = 1280;
/// The narrowest and the widest.
const MIN_WIDTH: u32 = 240;
const MAX_WIDTH: u32 = 2_560;
/// A larger picture is not sent.
const MAX_PICTURE: usize = 3 << 20;

/// What was seen.
pub(super) struct Seen {
    /// In base64: PNG.
    pub(super) picture: String,
    /// Errors of the page.
    pub(super) complaints: Vec<String>,
}

/// Looks at a page of the preview.
pub(super) async fn look(surface: &Surface, path: &str, width: u32) -> Result<Seen, ReviewError> {
    let looking = async {
        let mut page = surface.open(path, width).await?;
        page.settle().await?;
        let picture = page.picture().await?;
        let complaints = page.complaints().into_iter().collect();
        Ok::<(Vec<u8>, Vec<String>), ReviewError>((picture, complaints))
    };
    let late = || ReviewError::Page("it did not show within 30 seconds".to_owned());
    let (picture, complaints) = timeout(LOOK_TIMEOUT, looking).await.map_err(|_| late())??;
    if picture.len() > MAX_PICTURE {
        return Err(ReviewError::Page("its picture is too large".to_owned()));
    }
    Ok(Seen {
        picture: BASE64.encode(&picture),
        complaints,
    })
}

/// The page and the width that a model asks for.
pub(super) fn asked<'a>(input: &'a Value, page: Option<&'a str>) -> (&'a str, u32) {
    let path = input["page"].as_str().or(page).unwrap_or("/");
    let width = input["width"].as_u64().and_then(|width| u32::try_from(width).ok());
    (path, width.unwrap_or(WIDTH).clamp(MIN_WIDTH, MAX_WIDTH))
}
