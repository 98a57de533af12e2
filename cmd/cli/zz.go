package cli

import (
	"context"
	"errors"
	"github.com/spf13/cobra"
)

func (l *library) report(ctx context.Context, id string) (string, error) {
	return "", errors.New("no report yet")
}
func newDoctor(io *IO, g *globals) *cobra.Command { return &cobra.Command{Use: "doctor"} }
