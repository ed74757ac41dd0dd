//! JSX in the scripts of a component: `<script lang="tsx">`.

use super::outline::read;
use crate::source::model::position::{LineIndex, Position};
use crate::source::script::Broken;

/// The file as the script that its JSX is: every other byte is a blank, so that all offsets stay those of the file. `None` for
/// a file without a script in JSX.
///
/// # Errors
/// When the compiler would refuse the file.
pub fn jsx_script(text: &str) -> Result<Option<String>, Broken> {
    // Most components have none: that is told without a scan.
    if !text.contains("jsx") && !text.contains("tsx") {
        return Ok(None);
    }
    let sfc = read(text)?;
    let mut script: Option<Vec<u8>> = None;
    for block in sfc.scripts() {
        if block.src.is_some() || !matches!(block.lang, Some("jsx" | "tsx")) {
            continue;
        }
        let script = script.get_or_insert_with(|| blanked(text));
        let content = block.content.range();
        script[content.clone()].copy_from_slice(&text.as_bytes()[content]);
    }
    // Blocks begin and end between characters, so this is always text.
    Ok(script.and_then(|script| String::from_utf8(script).ok()))
}

/// Whether a position of the file is one in a script in JSX.
#[must_use]
pub fn is_in_jsx(text: &str, at: Position) -> bool {
    let Ok(Some(script)) = jsx_script(text) else {
        return false;
    };
    // Elements begin with a bracket, which is blank everywhere else.
    let offset = LineIndex::new(text).offset(at);
    offset.is_some_and(|offset| script.as_bytes().get(offset) == Some(&b'<'))
}

/// A text of the same lines without anything in them.
fn blanked(text: &str) -> Vec<u8> {
    let blank = |byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' };
    text.bytes().map(blank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_in_jsx_keep_their_places() {
        let text = "<template>\r\n  <p>é</p>\r\n</template>\n<script lang=\"tsx\">\nconst a = <b/>\n</script>\n<script setup lang=\"tsx\">c()</script>";
        let script = jsx_script(text).unwrap().unwrap();
        assert_eq!(script.len(), text.len());
        assert_eq!(
            script.trim(),
            "const a = <b/>\n         \n                         c()".trim()
        );
        let offset = text.find("<b/>").unwrap();
        assert_eq!(script.find("<b/>"), Some(offset));
        let at = |offset| LineIndex::new(text).position(offset);
        assert!(is_in_jsx(text, at(offset)));
        assert!(!is_in_jsx(text, at(text.find("<p>").unwrap())));
    }

    #[test]
    fn other_scripts_hold_no_elements() {
        for text in [
            "<template><p>tsx</p></template>",
            "<script lang=\"ts\">const jsx = <b>c</script>",
            "<script lang=\"tsx\" src=\"./a.tsx\"></script>",
            "<script>const tsx = 1</script>",
        ] {
            assert_eq!(jsx_script(text), Ok(None), "{text}");
        }
    }
}
