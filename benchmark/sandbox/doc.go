// Package sandbox runs an untrusted program in a Box: isolated from the host, under limits,
// supervised while it runs, and without a trace afterwards.
//
// A Box reports what it enforces and how (memory by polling, network by namespace …), so that
// every result can record it; it never degrades silently. Warm, the default on Linux, forks
// programs in boxes that live for many; Bubblewrap makes a box for each program, Container a
// container of docker or podman; Landlock works without namespaces; Unprotected isolates nothing
// and requires the user's consent. The fork server is python/slot.py, the first process of a
// container python/relay.py, and this program itself supervises a program under Landlock, see
// Reexec. Where possible, every box has a memory cgroup.
//
// Files that a Spec names are copied out of a box after every process in it has ended, see
// Outcome.Outputs.
//
// A program in a box has a control channel: it reads frames from descriptor 3 and writes them to
// descriptor 4. The content of the frames, what a test case is and which verdict follows from an
// Outcome is the business of benchmark/judge, the only caller.
package sandbox
