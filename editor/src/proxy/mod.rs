//! The prototype's own origin: forwards to the dev server and injects the bridge.
