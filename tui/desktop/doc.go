// Package desktop is what there is around the terminal: programs that have the
// clipboard, and one that opens a file. They are looked up once, in the environment, and
// started only when the tester asks for it.
package desktop
