//! The place that something is put to, and the script that its imports go into.

use std::ops::Range;

use crate::source::model::Code;
use crate::source::model::plan::Refusal;
use crate::source::sfc;

/// The place of an element that something is put beside or into.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    /// Its file.
    pub path: &'s str,
    /// The text of the file.
    pub text: &'s str,
    /// The element's first byte.
    pub offset: usize,
    /// Whether it stands in a template of Vue; else in React's JSX.
    pub is_vue: bool,
}

/// The script that imports for a template go into.
pub(super) enum Setup {
    In(Range<usize>, &'static str),
    /// The file has no script at all.
    None,
    /// The file has a script of options only.
    Options,
}

pub(super) fn setup(site: &Site<'_>) -> Result<Setup, Refusal> {
    let broken = |why: String| Refusal::uncertain(Code::SyntaxError, format!("{} cannot be read: {why}", site.path));
    let sfc = sfc::read(site.text).map_err(|broken_at| broken(broken_at.message))?;
    let scripts = sfc
        .roots
        .iter()
        .filter_map(|id| sfc.element(*id))
        .filter(|element| sfc.tag(element) == "script");
    let scripts: Vec<_> = scripts.collect();
    let Some(setup) = scripts.iter().find(|element| sfc.plain(element, "setup").is_some()) else {
        return Ok(if scripts.is_empty() {
            Setup::None
        } else {
            Setup::Options
        });
    };
    let language = match sfc.plain(setup, "lang") {
        None | Some("" | "js" | "jsx") => "component.jsx",
        Some("ts") => "component.ts",
        Some("tsx") => "component.tsx",
        Some(other) => return Err(broken(format!("its script is written in {other}"))),
    };
    if setup.close.is_none() {
        return Ok(Setup::Options);
    }
    Ok(Setup::In(setup.inner().range(), language))
}
