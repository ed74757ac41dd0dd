//! Texts that nearly stand in the file, as models remember, copy or shorten them.

use serde_json::Value;

use super::case::Case;

pub fn indented(case: &Case<'_>) -> Option<Value> {
    let line = |line: &str| match line.strip_prefix('\t') {
        Some(rest) => format!("    {rest}"),
        None => match line.strip_prefix("  ") {
            Some(rest) => format!("\t{rest}"),
            None => format!(" {line}"),
        },
    };
    case.with_old(case.hunk().old.split_inclusive('\n').map(line).collect())
}

pub fn numbered(case: &Case<'_>) -> Option<Value> {
    let (text, old) = (case.text(), &case.hunk().old);
    let first = text[..text.find(old.as_str())?].matches('\n').count() + 1;
    let lines = old.split_inclusive('\n').zip(first..);
    case.with_old(lines.map(|(line, number)| format!("{number}: {line}")).collect())
}

pub fn with_signs(case: &Case<'_>) -> Option<Value> {
    let signed =
        |text: &str, sign: char| -> String { text.split_inclusive('\n').map(|line| format!("{sign}{line}")).collect() };
    case.with(|hunk| {
        hunk.old = signed(&hunk.old, '-');
        hunk.new = signed(&hunk.new, '+');
    })
}

pub fn escaped(case: &Case<'_>) -> Option<Value> {
    rewritten(case, |text| {
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    })
}

pub fn as_html(case: &Case<'_>) -> Option<Value> {
    rewritten(case, |text| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    })
}

/// Both texts in another spelling; `None` where that changes nothing.
fn rewritten(case: &Case<'_>, spell: impl Fn(&str) -> String) -> Option<Value> {
    let old = spell(&case.hunk().old);
    if old == case.hunk().old {
        return None;
    }
    case.with(|hunk| {
        hunk.new = spell(&hunk.new);
        hunk.old = old;
    })
}

pub fn with_a_gap(case: &Case<'_>) -> Option<Value> {
    let old = &case.hunk().old;
    let third = old.floor_char_boundary(old.len() / 3);
    let rest = old.floor_char_boundary(old.len() - old.len() / 3);
    case.with_old(format!("{}\n...\n{}", &old[..third], &old[rest..]))
}

/// One word of it, which stands in the file several times.
pub fn short(case: &Case<'_>) -> Option<Value> {
    let (text, old) = (case.text(), &case.hunk().old);
    let words = old.split(|sign: char| !sign.is_alphanumeric());
    let several = words.filter(|word| !word.is_empty() && text.matches(word).count() > 1);
    let word = several.max_by_key(|word| word.len())?.to_owned();
    case.with_old(word)
}

pub fn in_the_other_case(case: &Case<'_>) -> Option<Value> {
    let old = &case.hunk().old;
    let (at, letter) = old.char_indices().find(|(_, sign)| sign.is_ascii_alphabetic())?;
    let other = if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    };
    let changed = format!("{}{other}{}", &old[..at], &old[at + 1..]);
    // Another place that reads so is as good as the right one, until the page is looked at.
    if case.text().matches(&changed).count() == 1 {
        return None;
    }
    case.with_old(changed)
}

pub fn with_other_ends(case: &Case<'_>) -> Option<Value> {
    let old = &case.hunk().old;
    let other = if old.contains('\r') {
        old.replace("\r\n", "\n")
    } else {
        old.replace('\n', "\r\n")
    };
    if other == *old { None } else { case.with_old(other) }
}

pub fn missing(case: &Case<'_>) -> Option<Value> {
    case.with_old(String::new())
}

pub fn twice(case: &Case<'_>) -> Option<Value> {
    case.and(case.hunk().clone())
}
