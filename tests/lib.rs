//! Stories about Fives, told from outside.
