//! What every store must do, as plain functions that any store's tests call with a store of theirs.
