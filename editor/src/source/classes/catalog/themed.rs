//! The classes that a value of a theme makes.

use super::defaults;
use super::entry::CatalogEntry;

/// The utilities that a section of a theme makes: `(utility, what its preview says)`. A colour's preview is the colour.
fn utilities(section: &str) -> &'static [(&'static str, &'static str)] {
    match section {
        "text" | "fontSize" => &[("text", "font-size")],
        "font" | "fontFamily" => &[("font", "font-family")],
        "font-weight" | "fontWeight" => &[("font", "font-weight")],
        "radius" | "borderRadius" => &[("rounded", "border-radius")],
        "shadow" | "boxShadow" => &[("shadow", "box-shadow")],
        "leading" | "lineHeight" => &[("leading", "line-height")],
        "tracking" | "letterSpacing" => &[("tracking", "letter-spacing")],
        "container" | "maxWidth" => &[("max-w", "max-width")],
        "ease" | "transitionTimingFunction" => &[("ease", "transition-timing-function")],
        "animate" | "animation" => &[("animate", "animation")],
        "blur" => &[("blur", "filter")],
        "aspect" | "aspectRatio" => &[("aspect", "aspect-ratio")],
        "width" => &[("w", "width")],
        "height" => &[("h", "height")],
        "minHeight" => &[("min-h", "min-height")],
        "minWidth" => &[("min-w", "min-width")],
        "maxHeight" => &[("max-h", "max-height")],
        "zIndex" => &[("z", "z-index")],
        "opacity" => &[("opacity", "opacity")],
        "backgroundImage" => &[("bg", "background-image")],
        "spacing" => defaults::SPACED,
        _ => &[],
    }
}

/// The classes for one value of a theme; `name` is empty for a section's default.
pub(super) fn themed(section: &str, name: &str, value: Option<&str>, from: &str, entries: &mut Vec<CatalogEntry>) {
    let class = |utility: &str| {
        if name.is_empty() {
            utility.to_owned()
        } else {
            format!("{utility}-{name}")
        }
    };
    let mut add = |utility: &str, preview: Option<String>| {
        entries.push(CatalogEntry {
            name: class(utility),
            from: from.to_owned(),
            preview,
        });
    };
    if matches!(section, "color" | "colors") {
        for utility in defaults::COLORED {
            add(utility, value.map(str::to_owned));
        }
    }
    for (utility, property) in utilities(section) {
        add(utility, value.map(|value| format!("{property}: {value}")));
    }
}
