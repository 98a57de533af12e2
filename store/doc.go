// Package store keeps sessions on disk: an append-only log of events for each
// session, the large texts they refer to, and indexes that can be rebuilt from
// the events at any time. Nothing else imports bbolt.
//
// One process holds the file at a time. [Open] says who has it otherwise, and
// [OpenSnapshot] reads the copy that the holder keeps beside the file. Events
// are written by one goroutine that gathers the appends waiting for it into one
// transaction; [Store.Append] returns only after that transaction is on disk.
//
// Layout of the file:
//
//	meta                  format -> version, created -> who made the file
//	events/<session id>   big-endian sequence number -> event JSON, as exported
//	blobs                 SHA-256 -> one byte of encoding (0: raw), then the text
//	sessions              session id -> summary row, a fold over the events
//
// The package does not interpret a session beyond its summary: the state
// machine is package session, tables and reports are session/report.
//
// Beside the file lie copies: see [Copies]. [Salvage] reads what a damaged file
// still holds, [Restore] puts a copy in its place.
//
// The tests kill the process at random moments, and tear transactions apart by
// sectors as a power loss does, under the order of bbolt's flushes. A disk that
// does not flush when it says so is beyond them.
package store
