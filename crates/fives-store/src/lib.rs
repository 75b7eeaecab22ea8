//! Keeps tables: the embedded store, and the contract every store passes.
