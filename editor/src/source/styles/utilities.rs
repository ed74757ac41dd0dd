//! CSS properties as Tailwind's utilities: which class of an element sets one, and which would set another value.

use crate::source::classes::tailwind::{KEYWORDS, Utility, utility};
use crate::source::model::Project;
use crate::source::model::inspection::{Utilities, UtilitySet};

use super::tokens::variables;

/// Whether the prototype depends on Tailwind.
pub(super) fn has_tailwind(project: &dyn Project) -> bool {
    project
        .read("package.json")
        .is_some_and(|text| text.contains("tailwindcss\"") || text.contains("@tailwindcss/"))
}

/// Whether the prototype's Tailwind puts utilities into a layer, so that rules in no layer win over them: since version 4.
pub(super) fn is_layered(project: &dyn Project) -> bool {
    let Some(text) = project.read("package.json") else {
        return false;
    };
    let version = || {
        let rest = text
            .split_once("\"tailwindcss\"")?
            .1
            .trim_start_matches([':', ' ', '\n', '\t', '"', '^', '~', '>', '=', 'v']);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse::<u32>().ok()
    };
    ["@tailwindcss/vite", "@tailwindcss/postcss", "@tailwindcss/cli"]
        .iter()
        .any(|package| text.contains(package))
        || version().is_some_and(|version| version >= 4)
}

/// What the utilities of a class list set; `None` when the prototype has no Tailwind.
#[must_use]
pub fn utilities(project: &dyn Project, classes: &[String]) -> Option<Utilities> {
    if !has_tailwind(project) {
        return None;
    }
    Some(Utilities {
        fresh: any_utility(classes),
        set: classes.iter().filter_map(|class| set_by(class)).collect(),
    })
}

fn set_by(class: &str) -> Option<UtilitySet> {
    let utility = utility(class)?;
    let named = |names: &str| {
        utility
            .group()
            .is_some_and(|group| names.split(' ').any(|name| name == group))
    };
    let own = GROUPS
        .iter()
        .filter(|(_, own, _)| named(own))
        .map(|(property, ..)| *property);
    Some(UtilitySet {
        class: class.to_owned(),
        tokens: tokens_of(class),
        variants: utility.variants().iter().map(|&variant| variant.to_owned()).collect(),
        properties: own.chain(utility.property()).map(str::to_owned).collect(),
        among: GROUPS
            .iter()
            .filter(|(.., wider)| named(wider))
            .map(|(property, ..)| *property)
            .collect(),
    })
}

/// `md:text-brand` is `text-brand` of the theme, `bg-(--ink)` and `bg-[var(--ink)]` follow `--ink`, `p-[13px]` is a value of its own.
fn tokens_of(class: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let mut start = 0;
    for (at, sign) in class.char_indices() {
        match sign {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            // What stands before is a variant.
            ':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    let base = class[start..].trim_matches('!');
    if base.contains('[') {
        return variables(base);
    }
    match base.split_once('(') {
        Some((_, inside)) => {
            let name = inside.trim_end_matches(')').rsplit(':').next();
            name.filter(|name| name.starts_with("--"))
                .map(str::to_owned)
                .into_iter()
                .collect()
        }
        None => vec![base.to_owned()],
    }
}

/// The property that a class is for, when it is a utility for one property and holds always.
#[must_use]
pub fn property_of(class: &str) -> Option<&'static str> {
    let utility = utility(class).filter(|utility| utility.is_unconditional())?;
    let group = utility.group()?;
    GROUPS
        .iter()
        .find(|(_, own, _)| own.split(' ').any(|name| name == group))
        .map(|(property, ..)| *property)
}

/// Whether `p-4` is 16 pixels: no file of the prototype sets another scale.
pub(super) fn has_default_spacing(project: &dyn Project) -> bool {
    let files = project.files();
    let mut themes = files.iter().filter(|path| {
        path.contains("tailwind.config.") || [".css", ".pcss"].iter().any(|ending| path.ends_with(ending))
    });
    !themes.any(|path| {
        let text = project.read(path);
        text.is_some_and(|text| {
            text.contains("--spacing") || (path.contains("tailwind.config.") && text.contains("spacing"))
        })
    })
}

/// Whether any of the classes is a utility.
pub(super) fn any_utility(classes: &[String]) -> bool {
    classes.iter().any(|class| utility(class).is_some())
}

/// A class without variants that sets the property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub class: String,
    /// Whether it sets only this property; otherwise a longhand of its own is added beside it.
    pub exact: bool,
}

/// The class that sets the property: the one for exactly this property before those for more.
pub(super) fn setting(property: &str, classes: &[String]) -> Option<Setting> {
    setting_where(property, classes, &|utility| utility.is_unconditional())
}

/// The same under one variant and no other.
pub(super) fn setting_under(property: &str, classes: &[String], variant: &str) -> Option<Setting> {
    setting_where(property, classes, &|utility| utility.variants() == [variant])
}

fn setting_where(property: &str, classes: &[String], applies: &dyn Fn(&Utility<'_>) -> bool) -> Option<Setting> {
    let groups = groups(property);
    let sets = |class: &&String, names: &str| {
        let found = utility(class).filter(applies);
        found.is_some_and(|utility| match utility.group() {
            Some(group) => names.split(' ').any(|name| name == group),
            None => utility.property() == Some(property),
        })
    };
    let (own, wider) = groups.unwrap_or_default();
    let find = |names: &str| classes.iter().rfind(|class| sets(class, names)).cloned();
    let exact = find(own).map(|class| Setting { class, exact: true });
    exact.or_else(|| find(wider).map(|class| Setting { class, exact: false }))
}

/// The utility that gives the property this value: by name where the name means exactly that, else with the value in
/// brackets. `like` is the class it replaces: its `!` is kept.
pub(super) fn class_for(property: &str, value: &str, like: Option<&str>, named_spacing: bool) -> Option<String> {
    if value.contains(['"', '\'', '`', '\\', '[', ']', '<', '>']) || value.contains(char::is_control) {
        return None;
    }
    let (value, important) = match value.split_once('!') {
        Some((value, word)) if word.trim() == "important" => (value.trim_end(), true),
        Some(_) => return None,
        None => (value, false),
    };
    let arbitrary = value
        .replace('_', "\\_")
        .split_ascii_whitespace()
        .collect::<Vec<_>>()
        .join("_");
    let keyword = KEYWORDS
        .iter()
        .find(|(own, text, _)| *own == property && *text == value)
        .map(|(.., class)| (*class).to_owned());
    let spaced = || {
        let (_, name) = SPACED.iter().find(|(own, _)| *own == property)?;
        let step = step(value).filter(|_| named_spacing);
        Some(match step {
            Some((step, negative)) => format!("{}{name}-{step}", if negative { "-" } else { "" }),
            None => format!("{name}-[{arbitrary}]"),
        })
    };
    let bracket = || {
        let (_, name, hint) = BRACKETS.iter().find(|(own, ..)| *own == property)?;
        // What a variable holds cannot be seen: the hint says which property is meant.
        let hint = if value.starts_with("var(") { *hint } else { "" };
        let class = format!("{name}-[{hint}{arbitrary}]");
        Some(class)
    };
    let class = keyword
        .or_else(spaced)
        .or_else(bracket)
        .unwrap_or_else(|| format!("[{property}:{arbitrary}]"));
    let class = match like {
        Some(like) if like.ends_with('!') => format!("{class}!"),
        Some(like) if like.starts_with('!') => format!("!{class}"),
        _ if important => format!("!{class}"),
        _ => class,
    };
    // It must be read as what it is meant to be: `text-[1px]` as a size, not as a colour.
    let read = utility(&class)?;
    let expected = groups(property).map_or("", |(own, _)| own);
    let fits = match read.group() {
        Some(group) => expected.split(' ').any(|name| name == group),
        None => read.property() == Some(property),
    };
    if fits {
        Some(class)
    } else {
        Some(format!("[{property}:{arbitrary}]"))
    }
}

/// The step of Tailwind's spacing scale that is this length, and whether it is negative.
fn step(value: &str) -> Option<(String, bool)> {
    let (negative, value) = value.strip_prefix('-').map_or((false, value), |rest| (true, rest));
    if value == "0" || value == "0px" {
        return Some(("0".to_owned(), false));
    }
    if value == "1px" {
        return Some(("px".to_owned(), negative));
    }
    let quarter = match (value.strip_suffix("px"), value.strip_suffix("rem")) {
        (Some(pixels), _) => pixels.parse::<f64>().ok()? / 4.0,
        (_, Some(rem)) => rem.parse::<f64>().ok()? * 4.0,
        _ => return None,
    };
    const STEPS: &[f64] = &[
        0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 20.0, 24.0,
        28.0, 32.0, 36.0, 40.0, 44.0, 48.0, 52.0, 56.0, 60.0, 64.0, 72.0, 80.0, 96.0,
    ];
    STEPS.contains(&quarter).then(|| (format!("{quarter}"), negative))
}

/// The groups that set exactly the property, and those that set more.
fn groups(property: &str) -> Option<(&'static str, &'static str)> {
    GROUPS
        .iter()
        .find(|(own, ..)| *own == property)
        .map(|(_, own, wider)| (*own, *wider))
}

/// Property, groups that set it alone, groups that set it among others.
const GROUPS: &[(&str, &str, &str)] = &[
    ("padding", "p", ""),
    ("padding-inline", "px", "p"),
    ("padding-block", "py", "p"),
    ("padding-top", "pt", "py p"),
    ("padding-right", "pr", "px p"),
    ("padding-bottom", "pb", "py p"),
    ("padding-left", "pl", "px p"),
    ("margin", "m", ""),
    ("margin-inline", "mx", "m"),
    ("margin-block", "my", "m"),
    ("margin-top", "mt", "my m"),
    ("margin-right", "mr", "mx m"),
    ("margin-bottom", "mb", "my m"),
    ("margin-left", "ml", "mx m"),
    ("gap", "gap", ""),
    ("column-gap", "gap-x", "gap"),
    ("row-gap", "gap-y", "gap"),
    ("width", "w", "size"),
    ("height", "h", "size"),
    ("min-width", "min-w", ""),
    ("max-width", "max-w", ""),
    ("min-height", "min-h", ""),
    ("max-height", "max-h", ""),
    ("inset", "inset", ""),
    ("top", "top", "inset-y inset"),
    ("right", "right", "inset-x inset"),
    ("bottom", "bottom", "inset-y inset"),
    ("left", "left", "inset-x inset"),
    ("color", "text-color", ""),
    ("background-color", "bg-color", ""),
    ("border-color", "border-color", ""),
    ("border-width", "border-w", ""),
    ("border-style", "border-style", ""),
    ("border-radius", "rounded", ""),
    ("font-family", "font-family", ""),
    ("font-size", "font-size", ""),
    ("font-weight", "font-weight", ""),
    ("font-style", "font-style", ""),
    ("line-height", "leading", "font-size"),
    ("letter-spacing", "tracking", ""),
    ("text-align", "text-alignment", ""),
    ("text-transform", "text-transform", ""),
    ("text-decoration-line", "text-decoration", ""),
    ("display", "display", ""),
    ("position", "position", ""),
    ("flex-direction", "flex-direction", ""),
    ("flex-wrap", "flex-wrap", ""),
    ("grid-template-columns", "grid-cols", ""),
    ("grid-template-rows", "grid-rows", ""),
    ("justify-content", "justify-content", ""),
    ("align-items", "align-items", ""),
    ("align-self", "align-self", ""),
    ("opacity", "opacity", ""),
    ("z-index", "z", ""),
    ("overflow", "overflow", ""),
    ("object-fit", "object-fit", ""),
    ("cursor", "cursor", ""),
    ("box-shadow", "shadow", ""),
    ("white-space", "whitespace", ""),
];

/// Properties on the spacing scale, and the names of their utilities.
const SPACED: &[(&str, &str)] = &[
    ("padding", "p"),
    ("padding-inline", "px"),
    ("padding-block", "py"),
    ("padding-top", "pt"),
    ("padding-right", "pr"),
    ("padding-bottom", "pb"),
    ("padding-left", "pl"),
    ("margin", "m"),
    ("margin-inline", "mx"),
    ("margin-block", "my"),
    ("margin-top", "mt"),
    ("margin-right", "mr"),
    ("margin-bottom", "mb"),
    ("margin-left", "ml"),
    ("gap", "gap"),
    ("column-gap", "gap-x"),
    ("row-gap", "gap-y"),
    ("width", "w"),
    ("height", "h"),
    ("inset", "inset"),
    ("top", "top"),
    ("right", "right"),
    ("bottom", "bottom"),
    ("left", "left"),
];

/// Properties whose values go into brackets, and the hint for values that do not tell what they are.
const BRACKETS: &[(&str, &str, &str)] = &[
    ("color", "text", "color:"),
    ("background-color", "bg", "color:"),
    ("border-color", "border", "color:"),
    ("border-width", "border", "length:"),
    ("border-radius", "rounded", ""),
    ("font-size", "text", "length:"),
    ("line-height", "leading", ""),
    ("letter-spacing", "tracking", ""),
    ("min-width", "min-w", ""),
    ("max-width", "max-w", ""),
    ("min-height", "min-h", ""),
    ("max-height", "max-h", ""),
    ("opacity", "opacity", ""),
    ("z-index", "z", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_that_sets_a_property_is_found() {
        let classes = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (list, property, wanted) in [
            ("p-4 flex", "padding", Some(("p-4", true))),
            ("p-4 pl-2", "padding-left", Some(("pl-2", true))),
            ("p-4 flex", "padding-left", Some(("p-4", false))),
            ("md:p-4", "padding", None),
            ("text-red-500 text-sm", "color", Some(("text-red-500", true))),
            ("text-red-500 text-sm", "font-size", Some(("text-sm", true))),
            ("[mask-type:alpha]", "mask-type", Some(("[mask-type:alpha]", true))),
            (
                "grid-cols-3 font-mono",
                "grid-template-columns",
                Some(("grid-cols-3", true)),
            ),
            ("grid-cols-3 font-mono", "font-family", Some(("font-mono", true))),
            ("card", "color", None),
        ] {
            let found = setting(property, &classes(list));
            assert_eq!(
                found.as_ref().map(|found| (found.class.as_str(), found.exact)),
                wanted,
                "{list} {property}"
            );
        }
    }

    #[test]
    fn what_a_utility_sets_is_told() {
        let padding = set_by("md:p-4").unwrap();
        assert_eq!(
            (padding.variants, padding.properties),
            (vec!["md".to_owned()], vec!["padding".to_owned()])
        );
        assert!(padding.among.contains(&"padding-left") && !padding.among.contains(&"padding"));
        assert_eq!(set_by("[mask-type:alpha]").unwrap().properties, ["mask-type"]);
        assert_eq!(set_by("text-sm").unwrap().among, ["line-height"]);
        assert_eq!(set_by("card"), None);
        for (class, property) in [
            ("p-4", Some("padding")),
            ("text-red-500", Some("color")),
            ("text-sm", Some("font-size")),
            ("rounded-lg", Some("border-radius")),
            ("md:p-4", None),
            ("card", None),
        ] {
            assert_eq!(property_of(class), property, "{class}");
        }
    }

    #[test]
    fn values_become_utilities() {
        for (property, value, like, wanted) in [
            ("padding", "16px", None, "p-4"),
            ("padding", "1rem", None, "p-4"),
            ("padding", "13px", None, "p-[13px]"),
            ("padding", "1px 2px", None, "p-[1px_2px]"),
            ("margin-top", "-8px", None, "-mt-2"),
            ("margin", "0", None, "m-0"),
            ("color", "#ff0000", None, "text-[#ff0000]"),
            ("color", "var(--a_b)", None, "text-[color:var(--a\\_b)]"),
            ("font-size", "14px", None, "text-[14px]"),
            ("font-size", "larger", None, "[font-size:larger]"),
            ("font-weight", "700", Some("!font-thin"), "!font-bold"),
            ("display", "none", Some("flex!"), "hidden!"),
            ("z-index", "50", None, "z-[50]"),
            ("mask-type", "alpha", None, "[mask-type:alpha]"),
            ("color", "red !important", None, "!text-[red]"),
        ] {
            assert_eq!(
                class_for(property, value, like, true).as_deref(),
                Some(wanted),
                "{property}: {value}"
            );
        }
        assert_eq!(class_for("padding", "16px", None, false).as_deref(), Some("p-[16px]"));
        assert_eq!(class_for("content", "\"x\"", None, true), None);
    }

    #[test]
    fn a_class_names_what_its_value_comes_from() {
        for (class, wanted) in [
            ("p-4", "p-4"),
            ("md:hover:text-brand", "text-brand"),
            ("[&_p]:p-4", "p-4"),
            ("!p-4", "p-4"),
            ("p-[13px]", ""),
            ("bg-(--ink)", "--ink"),
            ("bg-[var(--ink)]", "--ink"),
            ("dark:bg-[color:var(--ink,#fff)]", "--ink"),
        ] {
            assert_eq!(tokens_of(class).join(" "), wanted, "{class}");
        }
    }
}
