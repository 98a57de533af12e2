// Package harden makes harder tasks of a benchmark's tasks: by syntax tree, and by asking a model for a
// changed solution and a statement of what it does. package benchmark/harden derives and checks the tests;
// here a second model solves the new task from its statement alone, further models measure how hard it is,
// and the hardest that still tell models apart are kept.
//
// Everything is an event in one append-only file ([File]): each answer as it arrives, each proposal with the
// check that removed it, each measurement. The same command continues after a kill, and nothing is asked
// twice. What is kept is laid before people as a file of prompts ([prompts.Set]): a statement is a wording,
// to be accepted, edited or rejected by one reviewer or two. [Accepted] are the tasks with their decisions.
package harden
