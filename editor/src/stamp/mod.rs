//! Source positions on elements: `data-desde-src`, added while the dev server compiles.
