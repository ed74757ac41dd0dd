//! What the runs of a plan gave: for each picture the one before, the one after, and in what they differ.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::compare::Difference;
use super::shot::Shot;

/// Of the last run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// The last step of the history when it began.
    pub step: Option<String>,
    /// As the plan has them.
    pub shots: Vec<ShotRecord>,
}

impl Record {
    /// Whether it is of other pictures than these, or something was edited since: the last step of the history is another.
    #[must_use]
    pub fn is_stale(&self, shots: Option<&[Shot]>, step: Option<&str>) -> bool {
        let is_of = |shots: &[Shot]| self.shots.iter().map(|one| &one.shot).eq(shots);
        self.step.as_deref() != step || shots.is_some_and(|shots| !is_of(shots))
    }
}

/// Of one picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShotRecord {
    /// What it is of.
    #[serde(flatten)]
    pub shot: Shot,
    /// The picture of the run before.
    pub before: Option<Kept>,
    /// The picture of this run.
    pub after: Option<Kept>,
    /// Why this run gave none.
    pub problem: Option<String>,
    /// In what the two differ, where there are two.
    pub difference: Option<Difference>,
}

/// A picture that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// Its name: what its bytes are, in hexadecimal digits.
    pub picture: PictureName,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The page is higher.
    pub is_cut: bool,
}

/// What a picture's file is called, without its ending: SHA-256 of the bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PictureName(String);

impl PictureName {
    /// Of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(HEXLOWER.encode(&Sha256::digest(bytes)))
    }

    /// The file.
    pub(super) fn file(&self) -> String {
        format!("{}.png", self.0)
    }
}

impl TryFrom<String> for PictureName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let is_one = name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_one {
            return Ok(Self(name));
        }
        Err("it is no name of a picture".to_owned())
    }
}

impl From<PictureName> for String {
    fn from(name: PictureName) -> Self {
        name.0
    }
}

impl Record {
    /// What is known of a picture.
    pub(super) fn of(&self, shot: &Shot) -> Option<&ShotRecord> {
        self.shots.iter().find(|each| each.shot == *shot)
    }

    /// All pictures it speaks of.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &PictureName> {
        let both = self.shots.iter().flat_map(|shot| [&shot.before, &shot.after]);
        both.flatten().map(|kept| &kept.picture)
    }
}

impl ShotRecord {
    /// The newest picture there is: that of this run, else the one before.
    pub(super) fn newest(&self) -> Option<&Kept> {
        self.after.as_ref().or(self.before.as_ref())
    }
}
