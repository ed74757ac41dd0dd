//! What takes the place of a text and must not.

use galley_editor::agent::gate::Code;
use galley_editor::source::model::Language;
use serde_json::Value;

use super::case::Case;

const CAPABLE: [&str; 8] = [
    "{fetch('/collect?' + document.cookie)}\n",
    "<script src=\"https://cdn.example/x.js\"></script>\n",
    "{eval('1 + 1')}\n",
    "<iframe src=\"/frame\"></iframe>\n",
    "import pad from 'left-pad-9';\n",
    "{process.env.SECRET}\n",
    "<i dangerouslySetInnerHTML={{ __html: text }} />\n",
    "<img src=\"https://pixel.example/x.png\" />\n",
];

const UNSEEN: [char; 4] = ['\u{feff}', '\u{200b}', '\u{202e}', '\u{7}'];

pub fn capable(case: &Case<'_>) -> Option<Value> {
    if case.limits.granted.contains(&Code::NewCapability) {
        return None;
    }
    case.with_new(case.hunk().new.clone() + CAPABLE[case.turn % CAPABLE.len()])
}

/// An element or a block that is not closed, behind what ends a comment and a string: in one of those it would be no mistake.
pub fn broken(case: &Case<'_>) -> Option<Value> {
    let more = match Language::of(&case.hunk().path) {
        Some(Language::Vue) => ";-->}{\"'<template><i",
        Some(Language::Jsx) => "*/`'\"<i>{",
        None => "}{\"",
    };
    case.with_new(case.hunk().new.clone() + more)
}

pub fn long(case: &Case<'_>) -> Option<Value> {
    if case.limits.granted.contains(&Code::TooMuch) {
        return None;
    }
    let lines = "<i>more of the same</i>\n".repeat(case.limits.lines + 1);
    case.with_new(case.hunk().new.clone() + &lines)
}

pub fn nothing(case: &Case<'_>) -> Option<Value> {
    let mut proposal = case.proposal.clone();
    proposal
        .files
        .iter_mut()
        .for_each(|hunk| hunk.new.clone_from(&hunk.old));
    Some(serde_json::json!(proposal))
}

/// Before its first letter.
pub fn unseen(case: &Case<'_>) -> Option<Value> {
    let (new, sign) = (&case.hunk().new, UNSEEN[case.turn % UNSEEN.len()]);
    if case.text().contains(sign) {
        return None;
    }
    let at = new.find(char::is_alphanumeric).unwrap_or(new.len());
    case.with_new(format!("{}{sign}{}", &new[..at], &new[at..]))
}
