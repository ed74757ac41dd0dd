//! Ids and secrets: how they are made, hashed and compared.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Crockford's base 32 in lower case: no `i`, `l`, `o`, `u`.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Length of an id in characters: 10 of time, 16 of randomness.
pub const ID_LENGTH: usize = 26;

/// Milliseconds since 1970-01-01T00:00:00Z; 0 when the clock is before that.
pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis() as i64)
}

/// A new id: 26 lower-case letters and digits, 48 bits of time and 80 of randomness (the layout of a ULID).
/// Ids made later in this process sort later, also within one millisecond.
pub fn new_id() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = now_ms() as u64;
    // 48 bits of time, then a counter, so that two ids of one millisecond keep their order.
    LAST.fetch_max(now << 12, Ordering::Relaxed);
    let stamp = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    let (time, order) = (stamp >> 12, stamp & 0xfff);
    let mut bytes = [0u8; 16];
    bytes[..6].copy_from_slice(&time.to_be_bytes()[2..]);
    // Unguessable, and without a system call: every request gets an id.
    rand::Rng::fill_bytes(&mut rand::rng(), &mut bytes[6..]);
    bytes[6] = (order >> 4) as u8;
    bytes[7] = (bytes[7] & 0x0f) | ((order & 0x0f) << 4) as u8;
    let value = u128::from_be_bytes(bytes);
    (0..ID_LENGTH)
        .rev()
        .map(|i| char::from(ALPHABET[((value >> (i * 5)) & 31) as usize]))
        .collect()
}

/// Fills a buffer from the operating system's generator.
pub fn fill_random(buffer: &mut [u8]) {
    use rand::TryRng;
    rand::rngs::SysRng
        .try_fill_bytes(buffer)
        .expect("the operating system has randomness");
}

/// A new 256-bit secret, 43 URL-safe characters.
pub fn new_secret() -> String {
    let mut bytes = [0u8; 32];
    fill_random(&mut bytes);
    BASE64URL_NOPAD.encode(&bytes)
}

/// The form in which a random secret is stored: hex SHA-256. Enough for 256 bits of randomness; not for passwords.
pub fn hash_secret(secret: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(secret.as_bytes()))
}

/// Whether two strings are equal. The time of the comparison reveals only whether their lengths are equal.
pub fn same_secret(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// A time in the API's format: RFC 3339, UTC, milliseconds.
pub fn rfc3339(ms: i64) -> String {
    use time::format_description::BorrowedFormatItem;
    use time::macros::format_description;
    const FORMAT: &[BorrowedFormatItem<'_>] =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    let at = time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .unwrap_or(time::OffsetDateTime::UNIX_EPOCH);
    at.format(FORMAT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_ordered() {
        let ids: Vec<String> = (0..10_000).map(|_| new_id()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ids.iter().all(|id| id.len() == ID_LENGTH));
    }

    #[test]
    fn times_are_rfc3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_790_000_000_123), "2026-09-21T14:13:20.123Z");
    }

    #[test]
    fn secrets_compare_by_value() {
        let secret = new_secret();
        assert!(same_secret(&secret, &secret.clone()));
        assert!(!same_secret(&secret, &new_secret()));
        assert_eq!(hash_secret("").len(), 64);
    }
}
