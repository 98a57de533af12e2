// Package figure draws static SVG and PNG from data by hand-written marks: bars,
// histograms, distribution functions, boxes, lines with bands, Kaplan-Meier
// curves, Likert bars, heat maps, scatters, and small multiples of these.
//
// Every mark is a struct that holds its data; its Draw gives a [Figure], which
// has the SVG, the same as PNG, a text alternative that tells the same, and the data
// as CSV. Equal data give equal bytes. Labels never overlap and never leave the canvas: they
// wrap, or are cut with an ellipsis and keep the whole as a tooltip; what cannot
// be placed is only in the tooltip and in the CSV.
//
// Values that are NaN, infinite or beyond ±1e15 are left out, and so are values
// that are not positive on a logarithmic axis; the figure says how many. Text from
// outside is data: control characters and marks of direction are removed, the rest
// is escaped.
//
// Colours hold for colour blindness and in greyscale, dark screens and print have
// their own, and no meaning rests on colour alone. The package does no I/O and
// knows nothing of sessions.
package figure
