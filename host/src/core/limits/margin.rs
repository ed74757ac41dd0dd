//! How much a server takes of a bound without asking the others.

/// Whether one more may be taken without waiting for an exchange, when so many are known of and so many more were taken here since: a
/// quarter of what is left of the first half. So what servers take at once exceeds the bound by an eighth for each of them at most, and
/// in the second half nothing is taken that the others do not know of.
pub(super) fn is_far_from(most: u32, known: i64, unsent: u32) -> bool {
    let left = i64::from(most / 2).saturating_sub(known);
    i64::from(unsent) < left / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_taken_without_asking_and_nothing_near_the_bound() {
        for (most, known, unsent, is_far) in [
            (20, 0, 0, true),
            (20, 0, 1, true),
            (20, 0, 2, false),
            (20, 6, 0, true),
            (20, 7, 0, false),
            (20, 10, 0, false),
            (20, 40, 0, false),
            (7, 0, 0, false),
            (0, 0, 0, false),
        ] {
            assert_eq!(
                is_far_from(most, known, unsent),
                is_far,
                "{unsent} behind {known} of {most}"
            );
        }
    }
}
