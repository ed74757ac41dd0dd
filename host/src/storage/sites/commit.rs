//! Making a tree a version: the pages' holes, the manifest, one sync, one rename.

use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::html::{self, MAX_PAGE};
use super::kind::is_page;
use super::manifest::{Record, encode};
use super::pack::{PackWriter, Span};
use super::staged::StagedTree;
use crate::storage::objects::Files;

/// From this many bytes of pages on, two threads read them.
const SHARED_FROM: u64 = 1 << 20;

/// Completes the tree's pack and gives it its name.
pub(super) fn commit(staged: StagedTree, files: &Files, name: &str) -> io::Result<()> {
    let StagedTree {
        mut pack, mut records, ..
    } = staged;
    for (at, table) in tables(&pack, &records)? {
        let offset = pack.position();
        pack.append(&table)?;
        records[at].holes = Some(Span {
            offset,
            len: table.len() as u64,
        });
    }
    pack.seal(&encode(&records))?;
    pack.place(files, name)
}

/// The pages that have holes, by their place among the records, with their tables.
fn tables(pack: &PackWriter, records: &[Record]) -> io::Result<Vec<(usize, Vec<u8>)>> {
    let pages: Vec<usize> = (0..records.len())
        .filter(|at| is_page(&records[*at].path) && records[*at].body.len <= MAX_PAGE)
        .collect();
    let bytes: u64 = pages.iter().map(|at| records[*at].body.len).sum();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(pages.len()));
    let work = || -> io::Result<()> {
        let mut page = Vec::new();
        while let Some(&at) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let record = &records[at];
            page.resize(record.body.len as usize, 0);
            pack.file().read_exact_at(&mut page, record.body.offset)?;
            let table = html::encode(&html::scan(&page, &record.path));
            if !table.is_empty() {
                done.lock().push((at, table));
            }
        }
        Ok(())
    };
    if bytes < SHARED_FROM {
        work()?;
    } else {
        std::thread::scope(|scope| {
            let other = scope.spawn(work);
            let own = work();
            own.and(
                other
                    .join()
                    .unwrap_or_else(|_| Err(io::Error::other("a page could not be read"))),
            )
        })?;
    }
    Ok(done.into_inner())
}
