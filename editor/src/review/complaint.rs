//! What a page complains of, in words that are the same the next time.

use regex::Regex;

/// Characters of a complaint.
const MAX_CHARACTERS: usize = 400;

/// A complaint without places and numbers; none when it is about the network, which is the application's own affair.
#[must_use]
pub fn complaint(words: &str) -> Option<String> {
    (!is_network(words)).then(|| general(words))
}

/// Complaints of the network are the application's own: it may have no server here.
fn is_network(words: &str) -> bool {
    const SIGNS: [&str; 8] = [
        "Failed to load resource",
        "net::ERR_",
        "NetworkError",
        "Failed to fetch",
        "WebSocket connection",
        "CORS policy",
        "Refused to",
        "preload",
    ];
    SIGNS.iter().any(|sign| words.contains(sign))
}

/// A complaint without places and numbers.
fn general(words: &str) -> String {
    let places = Regex::new(r"https?://\S+").map(|pattern| pattern.replace_all(words, "…").into_owned());
    let text = places.unwrap_or_else(|_| words.to_owned());
    let mut plain = String::new();
    for character in text.chars().take(MAX_CHARACTERS) {
        match character {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            other => plain.push(other),
        }
    }
    plain
}
