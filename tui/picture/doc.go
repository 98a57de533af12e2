// Package picture shows pictures in terminals. They come from untrusted programs: they are
// decoded under limits and encoded again, so that none of their bytes reaches the terminal.
//
// Half blocks work everywhere, as part of the screen. So do pictures of kitty's protocol: they
// are sent once and appear at their placeholder characters. Pictures of iTerm2 and sixel would
// vanish at the next redraw, so they are shown instead of the screen, see Shown.
package picture
