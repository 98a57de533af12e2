// Package store keeps sessions on disk: an append-only log of events for each session, the large texts they
// refer to, and indexes that can be rebuilt from the events at any time. No other package imports bbolt.
//
// Only one process at a time can open the file. Otherwise [Open] reports which process has it, and
// [OpenSnapshot] reads the copy that this process keeps beside the file. A single goroutine writes events,
// batching waiting appends into one transaction; [Store.Append] returns only after that transaction is on
// disk.
//
// Layout of the file:
//
//	meta                  format -> version, created -> who made the file
//	events/<session id>   big-endian sequence number -> event JSON, as exported
//	texts/<session id>    SHA-256 -> one byte of encoding (0: raw), then the text
//	blobs                 the same for texts that many sessions have
//	sessions              session id -> summary row, a fold over the events
//
// The package does not interpret a session beyond its summary: the state machine is in package session,
// tables and reports are in session/report.
//
// Copies lie beside the file: see [Copies]. [Salvage] recovers what a damaged file still contains,
// [Restore] replaces it by a copy.
//
// The tests kill the process at random times, and lose sectors of transactions like a power failure,
// respecting the order of bbolt's flushes. They do not cover disks that lie about flushing.
package store
