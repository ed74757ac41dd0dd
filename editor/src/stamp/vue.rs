//! Stamping single-file components: their templates, and the JSX of their scripts.

use super::map::Insertion;
use super::stamped::{Stamped, Unstamped};
use super::{jsx, map};
use crate::source::model::Walker;
use crate::source::script::Broken;
use crate::source::sfc::{self, StampPoint};

pub(super) fn stamp(path: &str, code: &str, custom: &[String]) -> Result<Stamped, Unstamped> {
    let is_custom = |name: &str| {
        let can_be = name.contains('-') && !name.contains(char::is_uppercase);
        can_be && custom.iter().any(|known| known == name)
    };
    let broken = |broken: Broken| Unstamped::Broken {
        path: path.to_owned(),
        why: broken.to_string(),
    };
    let mut points = sfc::stamp_points_where(code, is_custom).map_err(broken)?;
    if let Some(script) = sfc::jsx_script(code).map_err(broken)? {
        // A name with a dash is a component here as it is in the template.
        let is_host = |point: &StampPoint| {
            let name = &code[point.element + 1..point.offset];
            !name.contains('-') || is_custom(name)
        };
        points.extend(jsx::points(path, &script).map_err(broken)?.into_iter().filter(is_host));
        points.sort_by_key(|point| point.offset);
    }
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
