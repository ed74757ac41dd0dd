//! Reading cookies.

use http::{HeaderMap, header};

/// The most cookies of one name that are read. More than browsers keep for a site (180), so that cookies of the same name
/// that another host set do not hide the right one.
const MAX_VALUES: usize = 200;

/// The values of all cookies with this name, in the order in which they came. Others can set cookies of the same name: a
/// host of the same domain, or a page below another path. A cookie that is not UTF-8 is skipped.
pub fn cookie_values<'h>(headers: &'h HeaderMap, name: &'h str) -> impl Iterator<Item = &'h str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.trim().split_once('='))
        .filter(move |(found, _)| *found == name)
        .map(|(_, value)| value)
        .take(MAX_VALUES)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn all_cookies_of_a_name_are_found_beside_any_others() {
        let mut headers = HeaderMap::new();
        let first = b"a=1; view=x; theme=\xff\xfe; view=; viewer=3; view";
        headers.append(header::COOKIE, HeaderValue::from_bytes(first).unwrap());
        headers.append(header::COOKIE, HeaderValue::from_static("view=y=z"));
        assert_eq!(cookie_values(&headers, "view").collect::<Vec<_>>(), ["x", "", "y=z"]);
    }
}
