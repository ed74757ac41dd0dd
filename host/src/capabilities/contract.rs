//! The Rust side of wit/: generated, nothing by hand.
#![allow(missing_docs, reason = "generated; every item is documented in wit/")]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "galley:plugin/plugin-full",
    imports: {
        "galley:sql/sql": async | trappable,
        "galley:events/events": async | trappable,
        "galley:builds/builds": async | trappable,
        "galley:logs/logs": async | trappable,
        "galley:blobs/blobs": async | trappable,
        "galley:attachments/attachments": async | trappable,
        "galley:outbound/outbound": async | trappable,
        "galley:sites/sites.[method]tree.search": async | trappable,
        "galley:sites/sites.[method]tree.publish": async | trappable,
        "galley:sites/sites.activate": async | trappable,
        "galley:sites/sites.remove": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "galley:http/types.upload": super::http::UploadHandle,
        "galley:http/types.tail": super::http::TailHandle,
        "galley:sites/sites.tree": super::sites::TreeHandle,
        "galley:sql/sql.transaction": super::sql::TransactionHandle,
        "galley:logs/logs.log": super::logs::LogHandle,
    },
});
