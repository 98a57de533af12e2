package sessions

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/data/schematest"
	"assay/session/report"
)

const schemaFile = "report.schema.json"

// TestSchemaIsOfTheTypes: the schema says of each property what its Go comment says.
func TestSchemaIsOfTheTypes(t *testing.T) {
	g := schematest.New(t, map[reflect.Type]schematest.Object{reflect.TypeFor[report.Number](): {{Name: "type", Value: []string{"number", "null"}}}})
	g.Described = true
	got := g.Schema(fmt.Sprintf("urn:assay:report:%d", FormatVersion), "assay report", reflect.TypeFor[Report]())
	if t.Failed() {
		return
	}
	if flag.Lookup("update").Value.String() == "true" {
		fatal.If(t, os.WriteFile(schemaFile, got, 0o644))
	}
	if want, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale (%v); run the test with -update and look at the difference", schemaFile, err)
	}
}

// TestSchemaRefuses: what a report never says is not valid.
func TestSchemaRefuses(t *testing.T) {
	var b bytes.Buffer
	if err := mustBuild(t, live(t)).JSON(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	if err := valid(t, whole); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"an unknown property": {`"testers":`, `"tester_count": 1, "testers":`},
		"a missing property":  {`"session_count": 1,`, ``},
		"a text for a number": {`"session_count": 1`, `"session_count": "1"`},
		"null for a count":    {`"session_count": 1`, `"session_count": null`},
		"a half session":      {`"session_count": 1`, `"session_count": 0.5`},
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Errorf("%s: the report has no %s", name, change[0])
		} else if valid(t, changed) == nil {
			t.Errorf("%s is valid", name)
		}
	}
}

// valid checks the JSON form of a report against the schema.
func valid(t *testing.T, text string) error {
	t.Helper()
	return schematest.Validate(t, Schema(), text)
}
