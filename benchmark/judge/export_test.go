package judge

// GoImported adds the imports that a script of Go needs, as the judge does.
var GoImported = goImported
