package sessions

import _ "embed"

// It is generated from the types of this package and their comments; a test fails if it is stale.
//
//go:embed report.schema.json
var schema string

// Schema returns the JSON Schema (2020-12) of [Report.JSON]: what every property means and
// what it can be.
func Schema() []byte { return []byte(schema) }
