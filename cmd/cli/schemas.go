package cli

import "embed"

// schemaVersion is part of the schemas' ids. It rises when a member is removed, becomes optional or means something
// else, so that scripts can rely on it.
const schemaVersion = 1

// schemaFiles are generated from the types that --json prints and their comments; a test fails if one is stale.
//
//go:embed schemas/*.json
var schemaFiles embed.FS
