// Package sandbox runs an untrusted program in a Box: isolated from the host,
// under limits, watched while it runs, and gone without a trace afterwards.
//
// A Box says what it enforces and how (memory by polling, network by
// namespace …), so that every result can record it; it never degrades
// silently. Two backends exist: Bubblewrap, the default on Linux, and None,
// which isolates nothing and refuses to work without the user's consent.
//
// A program in a box has a control channel: it reads frames from descriptor 3
// and writes them to descriptor 4. What travels there, what a test case is and
// which verdict follows from an Outcome is the business of benchmark/judge,
// the only caller.
package sandbox
