//! A picture of one element of a page.

use serde_json::json;

use super::error::ReviewError;
use super::page::Page;

/// What is shown around it, in CSS pixels.
const MARGIN: u32 = 16;
/// The longer side of the picture, in pixels.
const MAX_SIDE: f64 = 640.0;
/// A picture of more bytes is taken again with half the sides.
const MAX_BYTES: usize = 256 << 10;
/// How often it is taken at most.
const MAX_TRIES: u32 = 3;

impl Page {
    /// A picture of the element with this stamp and of what is right around it, as PNG of at most 256 KB and 640 pixels; `None` where
    /// the page does not show it, or no picture of it is that small. `index` says which of those that share the stamp, as items of
    /// a list do; without it the first that is seen. The page is scrolled to it.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn element(&mut self, src: &str, index: Option<usize>) -> Result<Option<Vec<u8>>, ReviewError> {
        let area = self
            .ask(&format!("area({}, {}, {MARGIN})", json!(src), json!(index)))
            .await?;
        let (Some(width), Some(height)) = (area["width"].as_f64(), area["height"].as_f64()) else {
            return Ok(None);
        };
        let mut scale = (MAX_SIDE / width.max(height)).min(1.0);
        for _ in 0..MAX_TRIES {
            let mut clip = area.clone();
            clip["scale"] = json!(scale);
            let how = json!({ "format": "png", "captureBeyondViewport": false, "clip": clip });
            let picture = self.capture(how).await?;
            if picture.len() <= MAX_BYTES {
                return Ok(Some(picture));
            }
            scale /= 2.0;
        }
        Ok(None)
    }
}
