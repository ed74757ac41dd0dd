//! Stamping the templates of single-file components.

use super::map::Insertion;
use super::{Stamped, Unstamped, map};
use crate::source::{Walker, sfc};

pub(super) fn stamp(path: &str, code: &str) -> Result<Stamped, Unstamped> {
    let points = sfc::stamp_points(code).map_err(|broken| Unstamped::Broken {
        path: path.to_owned(),
        why: broken.to_string(),
    })?;
    let mut walker = Walker::new(code);
    let insertions: Vec<Insertion> = points
        .into_iter()
        .map(|point| Insertion {
            offset: point.offset,
            at: walker.position(point.element),
        })
        .collect();
    Ok(map::stamped(path, code, &insertions))
}
