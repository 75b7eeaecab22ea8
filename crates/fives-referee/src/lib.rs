//! Applies the rulebook to a live table: ids, table, commands, store traits, feed.
