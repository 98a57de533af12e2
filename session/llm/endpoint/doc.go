// Package endpoint sends many requests to a server as fast as the server likes, and no
// faster.
//
// An Endpoint stands for one server, whichever models it serves. It keeps to the limits
// of the models file, finds out how many requests at a time the server bears, waits as
// long as the server asks, sends again what failed for a passing reason, and stops when
// the server fails more than it answers. Asking for one answer is [llm.Client]'s; which
// answers are asked for, and where they are kept, is session/generate's.
package endpoint
