//! The images of a comment: the routes `…/comments/{comment}/images` and `…/images/{image}`.
//!
//! The bytes are a blob, and the comment's row says which images it shows. What is an image is decided by its content.

use galley_sdk::prelude::*;
use galley_sdk::{Bytes, Request, bells, clock, random};
use imagesize::ImageType;
use serde::{Deserialize, Serialize};

use crate::comments::{One, may_change};
use crate::image_files;
use crate::record::not_found;
use crate::store::{HiddenImage, NewImage, Store};

/// The most bytes of an image.
pub(crate) const MAX_BYTES: u64 = 5 << 20;
/// The most images of one comment.
const MAX_IMAGES: usize = 4;
/// The most bytes of all images of a project.
const MAX_PROJECT_BYTES: u64 = 500 << 20;
/// How often an image is taken out of a comment whose images others change in between.
const MAX_ATTEMPTS: u32 = 4;
/// The most pixels of an image: a small file can be a picture that fills a browser's memory.
const MAX_PIXELS: usize = 64_000_000;

/// How long browsers keep an image. Its bytes never change.
const CACHE: &str = "private, max-age=86400, immutable";

/// An image, as it is stored in its comment's row and in the API's format.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    id: String,
    /// `image/png`, `image/jpeg` or `image/webp`.
    #[serde(rename = "type")]
    kind: String,
    bytes: u64,
    width: usize,
    height: usize,
    created_at: String,
}

impl Image {
    /// Reads what the bytes are.
    fn of(content: &[u8]) -> Result<Image> {
        let kind = match imagesize::image_type(content) {
            Ok(ImageType::Png) => "image/png",
            Ok(ImageType::Jpeg) => "image/jpeg",
            Ok(ImageType::Webp) => "image/webp",
            _ => return Err(Error::bad_request("This is not a PNG, JPEG or WebP image")),
        };
        let size = imagesize::blob_size(content)
            .ok()
            .filter(|size| size.width > 0 && size.height > 0)
            .ok_or_else(|| Error::bad_request("This image is damaged: its width and height cannot be read"))?;
        if size.width.saturating_mul(size.height) > MAX_PIXELS {
            return Err(Error::bad_request(format!(
                "An image can have at most {} million pixels",
                MAX_PIXELS / 1_000_000
            )));
        }
        Ok(Image {
            id: random::id(),
            kind: kind.into(),
            bytes: content.len() as u64,
            width: size.width,
            height: size.height,
            created_at: clock::now(),
        })
    }
}

/// POST `…/images`: 201 with the image; 200 with the present one when the comment has these bytes already.
pub fn add<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Bytes(content): Bytes,
) -> Result<(Status, Json<Image>)> {
    may_change::<S>(&project, &caller, &comment)?;
    let image = Image::of(&content)?;
    let present = images::<S>(&project, &comment)?;
    for other in present.iter().filter(|other| other.bytes == image.bytes) {
        if image_files::read(&other.id, other.bytes)?.is_some_and(|bytes| bytes == content) {
            return Ok((Status::OK, Json(other.clone())));
        }
    }
    if present.len() >= MAX_IMAGES {
        return Err(too_many());
    }
    if S::image_bytes(&project)? + image.bytes > MAX_PROJECT_BYTES {
        return Err(Error::bad_request(format!(
            "The images of this project's comments take {} MiB, and no more fit: delete some",
            MAX_PROJECT_BYTES >> 20
        )));
    }
    let new = NewImage {
        id: &image.id,
        project: &project,
        comment: &comment,
        kind: &image.kind,
        bytes: image.bytes as i64,
        facts: &serde_json::to_string(&image).map_err(Error::internal)?,
        max_images: MAX_IMAGES as u32,
        now: &image.created_at,
    };
    image_files::write::<S>(&new, &content).map_err(|problem| match problem.is("expectation") {
        // It was deleted meanwhile, or got its last image.
        true => match S::images(&project, &comment) {
            Ok(Some(_)) => too_many(),
            _ => not_found(),
        },
        false => problem.into(),
    })?;
    bells::ring(&project);
    Ok((Status::CREATED, Json(image)))
}

fn too_many() -> Error {
    Error::bad_request(format!("A comment can have at most {MAX_IMAGES} images"))
}

/// The images that a comment shows.
fn images<S: Store>(project: &str, comment: &str) -> Result<Vec<Image>> {
    let stored = S::images(project, comment)?.ok_or_else(not_found)?;
    serde_json::from_str(&stored).map_err(Error::internal)
}

/// The image of a path.
#[derive(Debug, Deserialize)]
pub struct OneImage {
    comment: String,
    image: String,
}

/// GET `…/images/{image}`: the bytes, which never change.
pub fn show<S: Store>(project: ProjectId, request: Request, Path(id): Path<OneImage>) -> Result<Response> {
    let (kind, bytes) = S::image(&project, &id.comment, &id.image)?.ok_or_else(missing)?;
    let tag = format!("\"{}\"", id.image);
    let known = request.header("if-none-match");
    let body = match known.is_some_and(|known| known == "*" || known.contains(&tag)) {
        true => None,
        false => Some(image_files::read(&id.image, bytes)?.ok_or_else(missing)?),
    };
    let mut response = Response::empty(if body.is_some() { 200 } else { 304 });
    response.body = body.unwrap_or_default();
    Ok(response
        .header("content-type", kind)
        .header("etag", tag)
        .header("cache-control", CACHE))
}

/// DELETE `…/images/{image}`: 204.
pub fn remove<S: Store>(project: CommentableProject, caller: Caller, Path(id): Path<OneImage>) -> Result<NoContent> {
    may_change::<S>(&project, &caller, &id.comment)?;
    for _ in 0..MAX_ATTEMPTS {
        match hide::<S>(&project, &id) {
            Err(error) if error.is("expectation") => {}
            done => {
                done?;
                image_files::tidy_now::<S>();
                bells::ring(&project);
                return Ok(NoContent);
            }
        }
    }
    Err(Error::conflict(
        "Others are changing the images of this comment right now: try again",
    ))
}

/// Takes an image out of its comment. `expectation` when others changed the comment's images in between.
fn hide<S: Store>(project: &str, id: &OneImage) -> Result<()> {
    let before = S::images(project, &id.comment)?.ok_or_else(missing)?;
    let mut images: Vec<Image> = serde_json::from_str(&before).map_err(Error::internal)?;
    let shown = images.len();
    images.retain(|image| image.id != id.image);
    if images.len() == shown {
        return Err(missing());
    }
    let image = HiddenImage {
        project,
        comment: &id.comment,
        id: &id.image,
        before: &before,
        after: &serde_json::to_string(&images).map_err(Error::internal)?,
    };
    S::hide_image(sql::batch(), &image).run()?;
    Ok(())
}

fn missing() -> Error {
    Error::not_found("Image not found")
}
