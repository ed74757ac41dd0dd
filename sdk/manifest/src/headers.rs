//! What a plugin reads of a request, and what it may send in a stream.

/// Headers of a request that say who sends it.
const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// Whether a plugin is given this header of a request, by its lower-case name. Credentials stay in the server.
pub fn may_read_header(name: &str) -> bool {
    !CREDENTIALS.contains(&name)
}

/// Whether a text can be the data of an event in a stream: one line.
pub fn is_event_data(text: &str) -> bool {
    !text.contains(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_stay_in_the_server() {
        for name in CREDENTIALS {
            assert!(!may_read_header(name), "{name}");
        }
        assert!(may_read_header("x-authorization") && may_read_header("if-none-match"));
    }

    #[test]
    fn the_data_of_an_event_is_one_line() {
        assert!(is_event_data("{}") && is_event_data(""));
        assert!(!is_event_data("a\nb") && !is_event_data("a\rb"));
    }
}
