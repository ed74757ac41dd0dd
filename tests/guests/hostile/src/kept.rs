//! Handles that are kept beyond the call that received them, and used in the next one: there they must never reach the
//! objects of another caller.

use std::cell::RefCell;

use galley_sdk::logs::{self, Log};
use galley_sdk::prelude::*;
use galley_sdk::sites::Tree;
use serde_json::{Value, json};

use crate::{code, instance};

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
    static TREE: RefCell<Option<Tree>> = const { RefCell::new(None) };
    static TRANSACTION: RefCell<Option<sql::Transaction>> = const { RefCell::new(None) };
}

/// Opens a log and keeps it. One that was kept before is left alone.
pub(crate) fn keep_log(name: &str) -> Value {
    let kept = LOG.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = logs::open(name).ok();
        }
        slot.is_some()
    });
    json!({ "instance": instance(), "kept": kept })
}

/// Opens a log of this call, then writes to the one that was kept.
pub(crate) fn use_log(name: &str) -> Value {
    let own = logs::open(name);
    let answer = LOG.with_borrow(|kept| kept.as_ref().map(|kept| code(kept.append("STOLEN"))));
    let own = own.map(|own| code(own.append("own"))).unwrap_or_default();
    json!({ "instance": instance(), "kept": answer, "own": own })
}

/// Opens a log of this call, then drops the one that was kept: the own one must stay usable.
pub(crate) fn drop_log(name: &str) -> Value {
    let own = logs::open(name);
    let kept = LOG.take();
    let dropped = kept.is_some();
    drop(kept);
    let own = own.map(|own| code(own.append("own"))).unwrap_or_default();
    json!({ "instance": instance(), "kept": dropped, "own": own })
}

/// What stands in a log.
pub(crate) fn read_log(name: &str) -> Value {
    json!(
        logs::open(name)
            .and_then(|log| log.read(0, 1_000))
            .unwrap_or_else(|problem| problem.code)
    )
}

/// Begins a transaction, writes in it and keeps it.
pub(crate) fn keep_transaction() -> Value {
    let begun = sql::Transaction::begin();
    if let Ok(transaction) = begun {
        let _ = transaction.execute("INSERT INTO notes (text) VALUES ('kept')", params![]);
        TRANSACTION.set(Some(transaction));
    }
    json!({ "instance": instance() })
}

/// Begins a transaction of this call, then commits the kept one.
pub(crate) fn use_transaction() -> Value {
    let own = sql::Transaction::begin();
    let kept = TRANSACTION.take().map(|kept| code(kept.commit()));
    json!({ "instance": instance(), "kept": kept, "own": own.is_ok() })
}

/// `keep` keeps the tree of an upload; `use` looks into the kept one while it has a tree of its own.
pub(crate) fn tree(_project: ProjectId, Path((_, step)): Path<(String, String)>, upload: Upload) -> Json<Value> {
    let own = upload.tree;
    if step == "keep" {
        TREE.with_borrow_mut(|kept| {
            kept.get_or_insert(own);
        });
        return Json(json!({ "instance": instance() }));
    }
    let seen = TREE.with_borrow(|kept| {
        kept.as_ref().map(|kept| {
            let bytes = kept.read("index.html", 0, 1_000).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    });
    Json(json!({ "instance": instance(), "kept": seen, "own": own.files() }))
}
