//! `Accept-Encoding`: the codings that a client accepts.

use http::{HeaderMap, header};

use crate::storage::sites::Coding;

/// The codings to try, the preferred one first. The last one is always [`Coding::Identity`], even if the client excludes
/// it.
pub(super) fn accepted(headers: &HeaderMap) -> [Option<Coding>; 3] {
    let (mut brotli, mut gzip, mut others) = (None, None, None);
    for value in headers.get_all(header::ACCEPT_ENCODING) {
        for item in value.to_str().unwrap_or_default().split(',') {
            let (name, weight) = item.split_once(';').unwrap_or((item, ""));
            let weight = weight_of(weight);
            match name.trim() {
                name if name.eq_ignore_ascii_case("br") => brotli = Some(weight),
                name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => gzip = Some(weight),
                "*" => others = Some(weight),
                _ => {}
            }
        }
    }
    let (brotli, gzip) = (brotli.or(others).unwrap_or(0), gzip.or(others).unwrap_or(0));
    let (brotli_is, gzip_is) = (
        (brotli > 0).then_some(Coding::Brotli),
        (gzip > 0).then_some(Coding::Gzip),
    );
    let [first, second] = if brotli >= gzip {
        [brotli_is, gzip_is]
    } else {
        [gzip_is, brotli_is]
    };
    [first, second, Some(Coding::Identity)]
}

/// The weight in thousandths; a malformed one counts as none stated.
fn weight_of(parameters: &str) -> u16 {
    let weight = parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("q")
            .then(|| value.trim().parse::<f32>().ok())?
    });
    weight
        .filter(|weight| (0.0..=1.0).contains(weight))
        .map_or(1000, |weight| (weight * 1000.0) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_decide_and_brotli_wins_a_tie() {
        use Coding::*;
        for (header, expected) in [
            ("", vec![Identity]),
            ("gzip, deflate, br, zstd", vec![Brotli, Gzip, Identity]),
            ("gzip", vec![Gzip, Identity]),
            ("br;q=0.5, gzip", vec![Gzip, Brotli, Identity]),
            ("BR; Q=1.0 , gzip;q=0.001", vec![Brotli, Gzip, Identity]),
            ("br;q=0, gzip;q=0.0", vec![Identity]),
            ("*", vec![Brotli, Gzip, Identity]),
            ("*;q=0", vec![Identity]),
            ("br;q=0,*", vec![Gzip, Identity]),
            ("gzip;q=nonsense", vec![Gzip, Identity]),
            ("identity", vec![Identity]),
            ("brotli, gzipped", vec![Identity]),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, header.parse().unwrap());
            let codings: Vec<_> = accepted(&headers).into_iter().flatten().collect();
            assert_eq!(codings, expected, "{header}");
        }
        assert_eq!(accepted(&HeaderMap::new()), [None, None, Some(Identity)]);
    }
}
