package analyser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/scoring"
	"assay/scoring/quality"
)

// SonarQube is a server that has already analysed a project.
type SonarQube struct {
	URL     string        // of the server
	Token   string        // of a user; from the environment, never from a file
	Client  *http.Client  // nil: the default one
	Timeout time.Duration // of each request; 0: 30 s
}

// Measured is a server's result for a project: its own ratings and issues.
type Measured struct {
	Result
	Ratings map[quality.Dimension]scoring.Rating // the server's own, from its measures

	// Recorded has the same findings by the path of their file in the project.
	Recorded *Recorded
}

// Errors of a server.
var (
	errDenied   = errors.New("the server rejected the token: check $SONAR_TOKEN, and that its user may browse the project")
	errNoServer = errors.New("this is not a SonarQube server, or a proxy is in front of it: the answer is not JSON")
)

// sonarPage is the number of issues in a request; sonarMost is the most issues that a server returns.
const (
	sonarPage = 500
	sonarMost = 10_000
)

// Project reads the measures and the open issues of a project.
func (s SonarQube) Project(ctx context.Context, key string) (Measured, error) {
	m, err := s.project(ctx, key)
	if err != nil {
		return Measured{}, fmt.Errorf("asking SonarQube at %s about %s: %w", s.URL, key, err)
	}
	return m, nil
}

func (s SonarQube) project(ctx context.Context, key string) (Measured, error) {
	version, err := s.version(ctx)
	if err != nil {
		return Measured{}, err
	}
	m := Measured{Result: Result{Analyser: "SonarQube " + version}, Ratings: map[quality.Dimension]scoring.Rating{},
		Recorded: &Recorded{runs: []recordedRun{{title: "SonarQube " + version, of: map[string][]recordedFinding{}}}}}
	if err := s.measures(ctx, key, &m); err != nil {
		return Measured{}, err
	}
	for page := 1; ; page++ {
		more, err := s.issues(ctx, key, page, &m)
		if err != nil {
			return Measured{}, err
		}
		if !more {
			m.Recorded.runs[0].analysed = m.Analysed
			return m, nil
		}
	}
}

// version requests the server's version, which is plain text.
func (s SonarQube) version(ctx context.Context) (string, error) {
	body, err := s.get(ctx, "/api/server/version", nil, "text/plain")
	text := strings.TrimSpace(string(body))
	if err == nil && !versionNumber.MatchString(text) {
		err = errNoServer
	}
	return text, err
}

func (s SonarQube) measures(ctx context.Context, key string, m *Measured) error {
	var response struct {
		Component *struct {
			Measures []struct {
				Metric string `json:"metric"`
				Value  string `json:"value"`
			} `json:"measures"`
		} `json:"component"`
	}
	if err := s.json(ctx, "/api/measures/component", url.Values{"component": {key}, "metricKeys": {"reliability_rating,security_rating,ncloc"}}, &response); err != nil {
		return err
	}
	if response.Component == nil {
		return errNoServer
	}
	for _, v := range response.Component.Measures {
		d := map[string]quality.Dimension{"reliability_rating": quality.Reliability, "security_rating": quality.Security}[v.Metric]
		number, err := strconv.ParseFloat(v.Value, 64)
		if d == "" {
			continue
		}
		if err != nil || number < 1 || number > 5 {
			return fmt.Errorf("its %s is %q, which is not a rating", v.Metric, v.Value)
		}
		m.Ratings[d] = scoring.Rating("ABCDE"[int(number)-1 : int(number)])
		m.Analysed = append(m.Analysed, d)
	}
	return nil
}

// issues reads one page, and reports whether there are more.
func (s SonarQube) issues(ctx context.Context, key string, page int, m *Measured) (bool, error) {
	var response struct {
		Total  int `json:"total"`
		Paging struct {
			Total int `json:"total"`
		} `json:"paging"`
		Issues *[]struct {
			Rule      string `json:"rule"`
			Component string `json:"component"`
			Severity  string `json:"severity"`
			Type      string `json:"type"`
			Line      int    `json:"line"`
			Message   string `json:"message"`
		} `json:"issues"`
	}
	err := s.json(ctx, "/api/issues/search", url.Values{"componentKeys": {key}, "resolved": {"false"}, "types": {"BUG,VULNERABILITY,CODE_SMELL"},
		"ps": {strconv.Itoa(sonarPage)}, "p": {strconv.Itoa(page)}}, &response)
	if err != nil {
		return false, err
	}
	if response.Issues == nil {
		return false, errNoServer
	}
	for _, i := range *response.Issues {
		severity := quality.Severity(i.Severity)
		switch i.Severity {
		case "MINOR", "MAJOR", "CRITICAL", "BLOCKER":
		case "INFO":
			severity = quality.Minor
		default:
			return false, fmt.Errorf("the issue %s has the severity %q", i.Rule, i.Severity)
		}
		d, known := map[string]quality.Dimension{"BUG": quality.Reliability, "VULNERABILITY": quality.Security, "CODE_SMELL": quality.Smell}[i.Type]
		if !known {
			return false, fmt.Errorf("the issue %s has the type %q", i.Rule, i.Type)
		}
		f := quality.Finding{Rule: i.Rule, Severity: severity, Dimension: d, Line: i.Line, Message: i.Message, Analyser: m.Analyser}
		m.Findings = append(m.Findings, f)
		m.Recorded.runs[0].add(strings.TrimPrefix(i.Component, key+":"), f)
	}
	total := max(response.Total, response.Paging.Total)
	if total > sonarMost {
		return false, fmt.Errorf("it has %d issues, but a server returns at most %d: ask about a smaller part of the project", total, sonarMost)
	}
	if len(*response.Issues) == 0 && len(m.Findings) < total {
		return false, fmt.Errorf("it reported %d issues but returned %d", total, len(m.Findings))
	}
	return len(m.Findings) < total, nil
}

func (s SonarQube) json(ctx context.Context, path string, query url.Values, into any) error {
	body, err := s.get(ctx, path, query, "application/json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%w (%v)", errNoServer, err)
	}
	return nil
}

func (s SonarQube) get(ctx context.Context, path string, query url.Values, kind string) ([]byte, error) {
	timeout := cmp.Or(s.Timeout, 30*time.Second)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.URL, "/")+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if s.Token != "" {
		req.Header.Set("Authorization", "Bearer "+s.Token)
	}
	client := cmp.Or(s.Client, http.DefaultClient)
	resp, err := client.Do(req)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("no answer within %v", timeout)
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxSARIF))
	if err != nil {
		return nil, err
	}
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		return nil, fmt.Errorf("status %d: %w", resp.StatusCode, errDenied)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered status %d%s", path, resp.StatusCode, sonarErrors(body))
	case !slices.Contains([]string{kind, "text/plain"}, mediaType) || kind == "application/json" && mediaType != kind:
		return nil, fmt.Errorf("%s answered %q: %w", path, mediaType, errNoServer)
	}
	return body, nil
}

// sonarErrors returns the messages in an error's body.
func sonarErrors(body []byte) string {
	var response struct {
		Errors []struct {
			Msg string `json:"msg"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &response) != nil || len(response.Errors) == 0 {
		return ""
	}
	return ": " + lastLine(response.Errors[0].Msg)
}
