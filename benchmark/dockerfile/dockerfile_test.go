package dockerfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"assay/benchmark/dockerfile"
	"assay/data/fatal"
)

// context is a build context.
func context(names ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range names {
		files[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return files
}

func TestPlan(t *testing.T) {
	text := strings.Join([]string{
		"# syntax=docker/dockerfile:1",
		"ARG TAG=3.11",
		"FROM --platform=linux/amd64 docker.io/library/python:${TAG}-slim",
		`ENV DEBIAN_FRONTEND=noninteractive A="two words" \`,
		"    # between the lines of a step",
		"",
		"    B='$A'",
		"ENV C the rest of $A",
		"WORKDIR /srv",
		"WORKDIR app",
		`ENV PATH="/opt/bin:${PATH}"`,
		"RUN --mount=type=cache,target=/root/.cache echo one && \\",
		"    echo two",
		`RUN ["echo", "it's"]`,
		"RUN <<EOF",
		"echo three",
		"EOF",
		"RUN cat >/srv/app/x <<'END'",
		"RUN is text here",
		"END",
		"COPY --chown=a:b data/*.csv ./in/",
		"COPY <<EOF /srv/note",
		"a note",
		"EOF",
		"ADD --chmod=755 pack.tar.gz /opt",
		"USER nobody",
		`CMD ["bash"]`,
	}, "\r\n")
	plan, err := dockerfile.Read("Dockerfile", text, context("data/a.csv", "data/b.csv", "pack.tar.gz"))
	fatal.If(t, err)
	if plan.Image != "docker.io/library/python:3.11-slim" || plan.Toolchain != "python" || plan.Version != "3.11" || plan.Workdir != "/srv/app" {
		t.Errorf("%+v", plan)
	}
	want := map[string]string{"DEBIAN_FRONTEND": "noninteractive", "A": "two words", "B": "$A", "C": "the rest of two words", "PATH": "/opt/bin:" + dockerfile.SystemPath}
	if fmt.Sprint(plan.Env) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", plan.Env, want)
	}
	for _, part := range []string{
		"echo 12 >/tmp/.step\n'/bin/sh' '-c' 'echo one &&     echo two'\n",
		"'echo' 'it'\\''s'\n",
		"'/bin/sh' '-c' 'echo three\n'\n",
		"'/bin/sh' '-c' 'cat >/srv/app/x <<'\\''END'\\''\nRUN is text here\nEND\n'\n",
		`cp -a --no-preserve=ownership "$ASSAY_CONTEXT"/'data/b.csv' '/srv/app/in'/`,
		"printf %s 'a note\n' >'/srv/note'",
		`tar -xf "$ASSAY_CONTEXT"/'pack.tar.gz' -C '/opt'`,
		"chmod -R '755' '/opt'",
		"export PATH=\"$ASSAY_BIN\":'/opt/bin:",
	} {
		if !strings.Contains(plan.Script, part) {
			t.Errorf("no %q in\n%s", part, plan.Script)
		}
	}
}

// Every step that is not understood is an error with file and line.
func TestNotUnderstood(t *testing.T) {
	for step, want := range map[string]string{
		"FROM own/image:1":                  "the image own/image:1 is not understood",
		"FROM":                              "FROM takes the name of an image",
		"COPY ../secret /x":                 "outside of the build context",
		"COPY a/../../secret /x":            "outside of the build context",
		"COPY missing /x":                   "the build context has no missing",
		"COPY --from=nobody /a /b":          "no earlier stage is called nobody",
		"COPY --parents a /b":               "--parents",
		"COPY a":                            "takes files and where they go",
		"ADD https://example.com/x.tar /x":  "needs a network",
		"ADD git@example.com:x/y.git /x":    "needs a network",
		"RUN --mount=type=secret,id=a true": "--mount=type=secret,id=a",
		"RUN":                               "RUN has no command",
		"RUN cat <<END":                     `has no end "END"`,
		"ENV":                               "ENV takes NAME=value",
		"ENV A=1 B":                         "is not NAME=value",
		`ENV A="open`:                       "is not closed",
		"ENV A=${B#x}":                      "the variable",
		"SHELL bash":                        "a list of texts in JSON",
		"ONBUILD RUN true":                  "ONBUILD is not understood",
		"FORM x":                            "FORM is not understood",
	} {
		_, err := dockerfile.Read("some/Dockerfile", "FROM debian\n\n"+step, context("a"))
		var wrong *dockerfile.Error
		if !errors.As(err, &wrong) || wrong.Line != 3 || wrong.File != "some/Dockerfile" || !strings.Contains(wrong.Text, want) {
			t.Errorf("%s: %v, want %s", step, err, want)
		}
	}
	for text, want := range map[string]string{"": "there is no FROM", "RUN true": "RUN stands before FROM"} {
		if _, err := dockerfile.Read("Dockerfile", text, context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is written with quotes is read as it was, whatever it contains; and no text makes the reader panic.
func TestEnvComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringOf(rapid.RuneFrom([]rune(` ab$'"\={}#é`))).Draw(t, "value")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`).Replace(value) + `"`
		plan, err := dockerfile.Read("Dockerfile", "FROM debian\nENV A="+quoted+" B=1", context())
		if err != nil || plan.Env["A"] != value || plan.Env["B"] != "1" {
			t.Fatalf("%s: %+v, %v", quoted, plan, err)
		}
		any := rapid.SliceOf(rapid.SampledFrom([]string{"FROM debian", "RUN", "ENV", " ", "\n", "\\", "<<E", "E", "COPY", "a", "--from=0", "[", "\"", "$", "${", "'", "\t", "WORKDIR", "ARG", "="})).Draw(t, "text")
		dockerfile.Read("Dockerfile", strings.Join(any, ""), context("a"))
	})
}
