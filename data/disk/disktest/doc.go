// Package disktest tells tests what a power loss may leave of files: it records what a program
// does to a directory, and makes the directory again as a file system may have kept it.
package disktest
