//! The bytes of images, as blobs of the slot.
//!
//! A row is written before its blob, and deleted after it: whatever a crash leaves has a row that no comment shows, and the job
//! [`JOB`] deletes it.

use galley_sdk::prelude::*;
use galley_sdk::{blobs, clock, log};

use crate::ids;
use crate::store::{NewImage, Store};

/// The job that deletes blobs that no comment shows.
pub(crate) const JOB: &str = "images";
/// How often it runs.
pub(crate) const EVERY: &str = "1h";
/// How long a blob can be on its way to its comment, in ms. A request takes seconds.
const UPLOAD_TIMEOUT: u64 = 3_600_000;
/// The most blobs that are deleted at once.
const MAX_DELETED: u32 = 200;
/// The most bytes of one read.
const MAX_READ: u32 = 1 << 20;

fn key(image: &str) -> String {
    format!("images/{image}")
}

/// Stores an image and shows it with its comment; `expectation` when the comment is not there or has all its images.
pub(crate) fn write<S: Store>(image: &NewImage<'_>, content: &[u8]) -> Result<(), Problem> {
    S::begin_image(image)?;
    let written = blobs::put(&key(image.id), content).and_then(|()| S::show_image(sql::batch(), image).run());
    if written.is_err() {
        delete::<S>(&[image.id.to_owned()])?;
    }
    written.map(drop)
}

/// The bytes of an image; `None` when they are not there.
pub(crate) fn read(image: &str, bytes: u64) -> Result<Option<Vec<u8>>, Problem> {
    let key = key(image);
    let mut content = Vec::with_capacity(bytes as usize);
    while (content.len() as u64) < bytes {
        match blobs::get(&key, content.len() as u64, MAX_READ)? {
            Some(part) if !part.is_empty() => content.extend(part),
            _ => return Ok(None),
        }
    }
    Ok(Some(content))
}

fn delete<S: Store>(images: &[String]) -> Result<(), Problem> {
    for image in images {
        blobs::delete(&key(image))?;
    }
    S::forget_images(&ids::keys(images))
}

/// Deletes some of the blobs that no comment shows since before `before`. Answers whether there may be more.
fn tidy<S: Store>(before: &str) -> Result<bool, Problem> {
    let images = S::unshown_images(before, MAX_DELETED)?;
    delete::<S>(&images)?;
    Ok(images.len() == MAX_DELETED as usize)
}

/// Deletes blobs whose comment or project was just deleted. Those that are left are deleted by the job.
pub(crate) fn tidy_now<S: Store>() {
    // Rows of deleted comments have no time, which is before every other.
    if let Err(problem) = tidy::<S>("0") {
        log::warn(format!(
            "deleted images are left for the job `{JOB}`: {}",
            problem.message
        ));
    }
}

/// The job: what deleted comments and ended uploads left.
pub(crate) fn run_job<S: Store>() -> Result<()> {
    let before = clock::format(clock::now_ms().saturating_sub(UPLOAD_TIMEOUT));
    while tidy::<S>(&before)? {}
    Ok(())
}
