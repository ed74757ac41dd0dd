//! Stamping the templates of single-file components.

use super::map::Insertion;
use super::{Stamped, Unstamped, map};
use crate::source::model::Walker;
use crate::source::sfc;

pub(super) fn stamp(path: &str, code: &str, custom: &[String]) -> Result<Stamped, Unstamped> {
    let is_custom = |name: &str| {
        let can_be = name.contains('-') && !name.contains(char::is_uppercase);
        can_be && custom.iter().any(|known| known == name)
    };
    let points = sfc::stamp_points_where(code, is_custom).map_err(|broken| Unstamped::Broken {
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
