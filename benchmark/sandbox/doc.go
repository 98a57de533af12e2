// Package sandbox runs an untrusted program in a Box: isolated from the host,
// under limits, watched while it runs, and gone without a trace afterwards.
//
// A Box says what it enforces and how (memory by polling, network by
// namespace …), so that every result can record it; it never degrades
// silently. Three backends exist: Warm, the default on Linux, which forks
// programs in boxes that live for many; Bubblewrap, with a box for each; and
// Unprotected, which isolates nothing and refuses to work without the user's
// consent. The server that forks is python/slot.py.
//
// A program in a box has a control channel: it reads frames from descriptor 3
// and writes them to descriptor 4. What travels there, what a test case is and
// which verdict follows from an Outcome is the business of benchmark/judge,
// the only caller.
package sandbox
