// Package disktest simulates power losses for tests: it records what a program does to a directory, and
// recreates the directory as a file system may have kept it.
package disktest
