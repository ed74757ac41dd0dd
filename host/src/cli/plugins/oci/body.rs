//! What a registry sends, within its bounds, and why it is not taken.

use std::io::Read;

use super::reference::Reference;
use crate::plugins::operations::{Kind, Refused};

/// Reads a body of at most so many bytes.
pub fn bounded(from: impl Read, most: u64, reference: &Reference) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    let read = from.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| failed(reference, &error))?;
    match bytes.len() as u64 > most {
        true => Err(bad(
            reference,
            &format!("the registry sends more than the {most} bytes it announced"),
        )),
        false => Ok(bytes),
    }
}

/// The artifact is not one for this server.
pub fn bad(reference: &Reference, error: &dyn std::fmt::Display) -> Refused {
    Refused::new(Kind::BadFile, format!("{reference} cannot be used: {error}"))
}

/// Something failed that is not about the artifact.
pub fn failed(reference: &Reference, error: &dyn std::fmt::Display) -> Refused {
    Refused::new(Kind::Failed, format!("{reference} cannot be downloaded: {error}"))
}
