//! What components are called.

/// `src/components/user-card.vue` and the tag `user-card` are `UserCard`.
#[must_use]
pub fn component_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let words = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut characters = word.chars();
            let first = characters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(characters).collect::<String>()
        })
        .collect()
}
