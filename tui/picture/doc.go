// Package picture shows pictures in terminals. They come from untrusted programs: they
// are decoded under limits, and only pixels of ours reach the terminal.
//
// Cells with half blocks work everywhere, within what the screen draws. Kitty's pictures
// do, too: they are sent once, and then stand where their placeholder characters are.
// What iTerm2 and sixel draw would be lost with the next drawing of the screen, so there
// a picture is shown with the screen put aside, see Shown.
package picture
