//! The process that serves Fives over gRPC.
