//! Putting the bridge's tag into a page, as the first thing in its head, while the page streams by. Only the page's
//! beginning is looked at; everything after the tag goes through untouched.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use lol_html::{HtmlRewriter, MemorySettings, Settings, element};

/// Everything below it is the Editor's.
pub const OWN_FOLDER: &str = "/__galley/";

/// The path of the bridge's script.
pub const BRIDGE_PATH: &str = "/__galley/bridge-bundle.js";

/// The path of the module that reads a page; the bridge imports it when it is first asked to.
pub const READING_PATH: &str = "/__galley/reading.js";

/// How much of a page may come before its first element. A page that holds more gets no bridge, and the smoke check says so.
const MAX_BEGINNING: usize = 4 << 20;

/// Up to this size a beginning is looked at again with each piece that arrives.
const SHORT_BEGINNING: usize = 64 << 10;

/// The tag.
pub struct Tag<'a> {
    /// The interface's origin.
    pub parent: &'a str,
    /// The run's nonce.
    pub nonce: &'a str,
    /// For a page whose policy allows nothing else.
    pub script_nonce: Option<&'a str>,
}

impl fmt::Display for Tag<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "<script src=\"{}\" data-parent-origin=\"{}\" data-nonce=\"{}\"",
            BRIDGE_PATH, self.parent, self.nonce
        )?;
        if let Some(nonce) = self.script_nonce {
            write!(formatter, " nonce=\"{nonce}\"")?;
        }
        formatter.write_str("></script>")
    }
}

/// The page with the tag in it.
pub fn into_page<E: Send + 'static>(
    page: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    tag: String,
) -> impl Stream<Item = Result<Bytes, E>> + Send + 'static {
    let state = (Box::pin(page), Some((BytesMut::new(), 0, tag)));
    stream::unfold(state, |(mut page, mut waiting)| async move {
        loop {
            let piece = page.next().await;
            let Some((beginning, looked_at, tag)) = &mut waiting else {
                return piece.map(|piece| (piece, (page, waiting)));
            };
            let is_over = piece.is_none();
            match piece {
                Some(Ok(piece)) => beginning.extend_from_slice(&piece),
                Some(Err(error)) => return Some((Err(error), (page, waiting))),
                None => {}
            }
            let is_too_long = beginning.len() >= MAX_BEGINNING;
            // A long beginning is looked at each time it has doubled, so that a slow page costs no more than a fast one.
            if !is_over && !is_too_long && *looked_at > SHORT_BEGINNING && beginning.len() < *looked_at * 2 {
                continue;
            }
            *looked_at = beginning.len();
            let at = match place(beginning) {
                Some(at) => Some(at),
                // A page without any element: the tag becomes its first.
                None if is_over && !is_utf_16(beginning) => Some(beginning.len()),
                None if is_over || is_too_long => None,
                None => continue,
            };
            let mut out = BytesMut::with_capacity(beginning.len() + tag.len());
            let (before, after) = beginning.split_at(at.unwrap_or(0));
            out.extend_from_slice(before);
            if at.is_some() {
                out.extend_from_slice(tag.as_bytes());
            }
            out.extend_from_slice(after);
            return Some((Ok(out.freeze()), (page, None)));
        }
    })
}

/// No bytes of ASCII can be put into such a page. Nobody makes them; browsers still read them.
fn is_utf_16(page: &[u8]) -> bool {
    page.starts_with(&[0xfe, 0xff]) || page.starts_with(&[0xff, 0xfe])
}

/// Where the head's content begins, as far as the beginning of a page tells.
fn place(beginning: &[u8]) -> Option<usize> {
    if is_utf_16(beginning) {
        return None;
    }
    let found = Rc::new(Cell::new(None));
    let sink = Rc::clone(&found);
    let settings = Settings::new()
        .with_strict(false)
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MAX_BEGINNING * 2))
        .append_element_content_handler(element!("*", move |element| {
            if sink.get().is_none() {
                let range = element.source_location().bytes();
                match element.tag_name().as_str() {
                    "html" => {}
                    "head" => sink.set(Some(range.end)),
                    // The tag of the head may be left out; then the head begins with what belongs into it.
                    _ => sink.set(Some(range.start)),
                }
            }
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // An error leaves what was found until then.
    let _ = rewriter.write(beginning);
    found.get()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    async fn injected(page: &[u8], size: usize) -> String {
        let pieces: Vec<Result<Bytes, Infallible>> = page
            .chunks(size)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        let out: Vec<_> = into_page(stream::iter(pieces), "<TAG>".to_owned()).collect().await;
        let bytes: Vec<u8> = out
            .into_iter()
            .flat_map(|piece| piece.expect("it cannot fail").to_vec())
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[tokio::test]
    async fn the_tag_is_the_first_thing_in_the_head_however_the_page_is_cut() {
        let page =
            "<!doctype html><!-- <head> --><html lang=\"en\"><head data-a=\">\"><title>x</title></head><body></body>";
        let wanted = page.replace("\">\">", "\">\"><TAG>");
        for size in 1..page.len() + 1 {
            assert_eq!(injected(page.as_bytes(), size).await, wanted, "in pieces of {size}");
        }
    }

    #[tokio::test]
    async fn a_page_without_a_head_gets_it_before_its_first_element() {
        assert_eq!(
            injected(b"<!doctype html><html><p>x", 5).await,
            "<!doctype html><html><TAG><p>x"
        );
        assert_eq!(injected(b"only text", 4).await, "only text<TAG>");
        assert_eq!(injected(b"", 4).await, "<TAG>");
    }

    #[tokio::test]
    async fn what_is_not_text_of_ascii_is_left_alone() {
        assert!(!injected(b"\xff\xfe<\0p\0>\0", 3).await.contains("TAG"));
    }
}
