package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/data/program"
)

// Probe implements Box. If the engine cannot limit memory and processes, polling does, and
// Enforcement reports that.
func (b *Container) Probe(ctx context.Context) error {
	b.removeStale(ctx)
	err := answers(ctx, b)
	var printed noContainer
	if errors.As(err, &printed) && lacksLimits(string(printed)) {
		b.mu.Lock()
		b.unlimit = true
		b.mu.Unlock()
		err = answers(ctx, b)
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("containers cannot run here: %w", diagnoseEngine(b.engine, b.image, err))
}

// lacksLimits reports whether an engine refused a container because of its limits.
func lacksLimits(printed string) bool {
	for _, word := range []string{"cgroup", "controller", "resource limits", "NanoCPUs", "CPU CFS", "memory limit"} {
		if strings.Contains(printed, word) {
			return true
		}
	}
	return false
}

// diagnoseEngine derives a cause and a fix from an engine's message.
func diagnoseEngine(engine, image string, err error) error {
	message := err.Error()
	for _, d := range []struct{ part, fix string }{
		{"permission denied while trying to connect", "you may not use the docker daemon: as root, run `usermod -aG docker $USER` and log in again " +
			"(members of that group can become root), or use --isolation podman, which needs no daemon"},
		{"Cannot connect to the Docker daemon", "no docker daemon runs: start it (`sudo systemctl start docker`), or name another one in DOCKER_HOST"},
		{"docker API at", "no docker daemon runs: start it (`sudo systemctl start docker`), or name another one in DOCKER_HOST"},
		{"No such image", "there is no image " + image + ", and assay downloads none: run `" + engine + " pull " + image + "`"},
		{"image not known", "there is no image " + image + ", and assay downloads none: run `" + engine + " pull " + image + "`"},
		{"Unable to find image", "there is no image " + image + ", and assay downloads none: run `" + engine + " pull " + image + "`"},
		{"executable file not found", "the image " + image + " has no python3, which assay needs in it"},
		{"hybrid mode", "crun does not run beside cgroups of both versions: install runc, and say runtime = \"runc\" below [engine] in ~/.config/containers/containers.conf"},
		{"unable to setup user", "podman made its user namespace before you had a range in /etc/subuid: run `podman system migrate`"},
		{"newuidmap", "podman may not make user namespaces for you: install uidmap and give yourself a range in /etc/subuid and /etc/subgid"},
		{"Permission denied: '/tmp/", "the directory /tmp of the image " + image + " must be writable for everyone (chmod 1777)"},
		{"not the first process", "the container shares its processes with others"},
		{"could not be started", "the image " + image + " has no /bin/sh, which assay needs in it"},
	} {
		if strings.Contains(message, d.part) {
			return &Unavailable{Cause: message, Fix: d.fix}
		}
	}
	first, _, _ := strings.Cut(message, "\n") // a crashing engine prints much more
	return fmt.Errorf("%s failed: %s", engine, first)
}

// ProbeEngine returns the engine's version, without starting an image. Its error names the cause
// and the fix.
func ProbeEngine(ctx context.Context, engine string) (string, error) {
	if _, err := NewContainer(engine, ""); !errors.Is(err, errNoImage) {
		return "", err
	}
	format := map[string]string{"docker": "{{.Server.Version}}", "podman": "{{.Client.Version}}"}[engine]
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	said, err := program.Ask(ctx, engine, "version", "--format", format)
	text := strings.TrimSpace(string(said.All()))
	if err != nil {
		return "", diagnoseEngine(engine, "", noContainer(text))
	}
	return engine + " " + text, nil
}
