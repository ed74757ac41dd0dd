//! Lines of other programs, which may be of any length.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// The next line without its end; `None` at the end of the stream.
///
/// # Errors
/// When the stream fails, or a line has more than `most` bytes.
pub async fn line(from: &mut (impl AsyncBufRead + Unpin), most: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let chunk = from.fill_buf().await?;
        if chunk.is_empty() {
            return Ok((!line.is_empty()).then_some(line));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(chunk.len());
        line.extend_from_slice(&chunk[..taken]);
        from.consume(end.map_or(taken, |end| end + 1));
        if line.len() > most {
            return Err(std::io::Error::other("a line is too long"));
        }
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}
