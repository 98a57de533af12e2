package cli
import ("context"; "errors")
func (l *library) report(ctx context.Context, id string) (string, error) { return "", errors.New("no report yet") }
