package repository_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/gateway"
	"assay/benchmark/repository"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/data/fatal"
	"assay/data/sampled"
)

// right is what an agent does that solves the project "unittest".
const right = `sed -i 's/prices\[1:\]/prices/' shop/price.py` + "\n"

// worked is what an agent did, with what it printed and asked for.
type worked struct {
	agents.Work
	printed string
	network []string
	files   map[string]string // of the tree afterwards, as its diff makes them: only changed ones; "" if deleted
}

// work starts a shell script as an agent.
func work(t *testing.T, r *repository.Runner, task *benchmark.Task, script string, adjust ...func(*agents.Program)) worked {
	t.Helper()
	for _, program := range []string{"git", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	var mu sync.Mutex
	var done worked
	p := agents.Program{
		Argv: []string{"/bin/sh", "-c", script}, Prompt: "Correct the total.", Time: time.Minute, MemoryMB: 1024, Processes: 64, OutputMB: 1, DiskMB: 64, Errors: true,
		Output:  func(piece []byte) agents.Limit { done.printed += string(piece); return "" },
		Started: func() {},
		Asked:   func(r gateway.Request) { mu.Lock(); defer mu.Unlock(); done.network = append(done.network, r.String()) },
	}
	for _, f := range adjust {
		f(&p)
	}
	var err error
	done.Work, err = r.Work(t.Context(), task, p)
	fatal.If(t, err)
	done.files = map[string]string{}
	if done.Diff != "" {
		answer, err := patch.Read("```diff\n" + done.Diff + "```\n")
		fatal.If(t, err)
		base := patch.FromFS(os.DirFS(task.Repository.Source).(fs.ReadLinkFS))
		changes, err := answer.Apply(base)
		fatal.If(t, err)
		for name, file := range changes {
			if file != nil {
				done.files[name] = fmt.Sprintf("%o %s", file.Mode, file.Data)
			} else {
				done.files[name] = ""
			}
		}
	}
	return done
}

// TestAgent: what programs do in their boxes, and what is left of it.
func TestAgent(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	task := projects["unittest"].task(t)
	ignore(t, task, "*.log\nbuild/\n!keep.log\n")
	fixed := "100644 def total(prices):\n    return sum(prices)\n"
	for name, c := range map[string]struct {
		script  string
		adjust  func(*agents.Program)
		files   map[string]string
		printed string // contained in what it printed
		not     string // not contained
		limit   agents.Limit
		exit    int
		left    string // what is not in the diff; "": all is
	}{
		"changes a file":   {script: right, files: map[string]string{"shop/price.py": fixed}},
		"changes nothing":  {script: "cat shop/price.py >/dev/null\ntouch README\n", files: map[string]string{}},
		"takes it back":    {script: "cp README old; echo x >README; cat old >README; rm old\n", files: map[string]string{}},
		"reads its prompt": {script: "cat; echo .", printed: "Correct the total.."},
		"gets its prompt as an argument": {script: `echo "$0"; cat`, adjust: func(p *agents.Program) { p.Argv = append(p.Argv, "<{prompt}>") },
			printed: "<Correct the total.>\n"},
		"adds, deletes and renames": {
			script: "mkdir -p a/b && printf 'new\\n' >a/b/c && rm README && mv shop/price.py shop/cost.py && chmod +x shop/__init__.py && ln -s price.py shop/link",
			files: map[string]string{"a/b/c": "100644 new\n", "README": "", "shop/price.py": "", "shop/cost.py": "100644 def total(prices):\n    return sum(prices[1:])\n",
				"shop/__init__.py": "100755 ", "shop/link": "120000 price.py"},
		},
		"replaces a directory by a file, and a file by a directory": {
			script: "rm -r shop && echo x >shop && rm README && mkdir README && echo y >README/a",
			files:  map[string]string{"shop": "100644 x\n", "shop/__init__.py": "", "shop/price.py": "", "README": "", "README/a": "100644 y\n"},
		},
		"moves a directory": {script: "mv shop market", files: map[string]string{"shop/__init__.py": "", "shop/price.py": "", "market/__init__.py": "100644 ",
			"market/price.py": "100644 def total(prices):\n    return sum(prices[1:])\n"}},
		"uses odd names": {script: `echo a >"a b"; echo q >'"q"'; printf 'n\n' >"$(printf 'new\nline')"; echo l >"$(printf 'caf\351')"; mkfifo pipe; ln -s /etc/passwd out; rm out`,
			files: map[string]string{"a b": "100644 a\n", `"q"`: "100644 q\n", "new\nline": "100644 n\n"}, left: "[caf\xe9: it cannot be read]"},
		"deletes everything": {script: "rm -rf * .gitignore", files: map[string]string{"shop/__init__.py": "", "shop/price.py": "", "README": "", "tests/__init__.py": "", ".gitignore": ""}},
		"makes a directory anew": {script: "rm -r shop && mkdir shop && echo z >shop/z",
			files: map[string]string{"shop/__init__.py": "", "shop/price.py": "", "shop/z": "100644 z\n"}},
		"writes binary files": {script: `printf 'a\000b' >data.bin; printf 'caf\351\n' >latin1.txt`,
			files: map[string]string{"data.bin": "100644 a\x00b", "latin1.txt": "100644 caf\xe9\n"}},
		"leaves build output": {script: "mkdir build shop/__pycache__ .pytest_cache && echo x | tee build/x shop/a.log shop/__pycache__/p.pyc .pytest_cache/y >keep.log",
			files: map[string]string{"keep.log": "100644 x\n"}},
		"writes .git": {script: "mkdir -p .git/hooks && echo x >.git/hooks/pre-commit; mkdir a; echo y >a/.git; echo z >a/z",
			files: map[string]string{"a/z": "100644 z\n"}},
		"writes outside": {script: "echo x >/etc/x; echo x >/usr/x; echo x >/tree/README; echo x >../x; echo x >/tmp/x; echo x >~/x && echo home is $HOME",
			files: map[string]string{}, printed: "home is /tmp/work"},
		"finds no history and no tests": {script: "ls -a; ls .git tests/test_price.py; git log", printed: "No such file", not: "test_price.py\n"},
		"gets a git repository": {script: "git status --short; git log --oneline; git rev-list --all | wc -l; echo x >x; git add x; git commit -qm more",
			adjust: func(p *agents.Program) { p.Git = true }, printed: "base\n1\n", files: map[string]string{"x": "100644 x\n"}},
		"has its key in its environment alone": {script: `echo "key is $SECRET"; cat /proc/*/cmdline | tr '\0' '\n' | grep -c 'open-ses[a]me'`,
			adjust: func(p *agents.Program) { p.KeyName, p.Key = "SECRET", "open-sesame" }, printed: "key is open-sesame\n0\n"},
		"writes its key to a file, and names files after it": {script: `echo "key=$SECRET" >config; mkdir $SECRET && echo x >$SECRET/x; ln -s $SECRET link`,
			adjust: func(p *agents.Program) {
				p.KeyName, p.Key, p.Mask = "SECRET", "open-sesame", func(s string) string { return strings.ReplaceAll(s, "open-sesame", "[key]") }
			}, files: map[string]string{"config": "100644 key=[key]\n", "[key]/x": "100644 x\n", "link": "120000 [key]"}},
		"has the variables of a proxy": {script: "env | grep -i _proxy= | sort",
			printed: "ALL_PROXY=http://127.0.0.1:3128\nHTTPS_PROXY=http://127.0.0.1:3128\nHTTP_PROXY=http://127.0.0.1:3128\nall_proxy=", not: "no_proxy"},
		"runs the tests' interpreter": {script: "python -c 'import shop.price; print(shop.price.total([1, 2]))'", printed: "2\n"},
		"leaves processes behind":     {script: right + "setsid sleep 1000 & sleep 1000 &", files: map[string]string{"shop/price.py": fixed}},
		"runs over its time": {script: right + "sleep 1000", adjust: func(p *agents.Program) { p.Time = 2 * time.Second },
			files: map[string]string{"shop/price.py": fixed}, limit: agents.LimitTime},
		"floods its output": {script: right + "yes", files: map[string]string{"shop/price.py": fixed}, limit: agents.LimitOutput, printed: "y\ny\n"},
		"floods its memory": {script: right + `python3 -c 'a = bytearray(900 << 20); a[::4096] = b"x" * len(a[::4096]); input()' 2>/dev/null; sleep 1000`,
			adjust: func(p *agents.Program) { p.MemoryMB = 256 }, files: map[string]string{"shop/price.py": fixed}, limit: agents.LimitMemory},
		"fills its disk":   {script: right + "head -c 200000000 /dev/zero >/tmp/big; wc -c </tmp/big", files: map[string]string{"shop/price.py": fixed}, printed: "No space left"},
		"changes too much": {script: "for i in 1 2; do head -c 40000000 /dev/zero >big$i; done", adjust: func(p *agents.Program) { p.DiskMB = 128 }, files: map[string]string{}},
		"fails":            {script: "echo sorry; exit 3", printed: "sorry\n", exit: 3},
		"goes on in the tree before": {script: "cat shop/price.py; ls README; echo more >more",
			adjust: func(p *agents.Program) {
				p.Before = "```diff\n" + projects["unittest"].diff(t, map[string]string{"shop/price.py": "better\n"}) + "diff --git a/README b/README\ndeleted file mode 100644\n--- a/README\n+++ /dev/null\n@@ -1 +0,0 @@\n-shop\n```\n"
			},
			files: map[string]string{"shop/price.py": "100644 better\n", "more": "100644 more\n", "README": ""}, printed: "better\n"},
		"starts anew after an answer without a change": {script: right, adjust: func(p *agents.Program) { p.Before = "The program changed no file." },
			files: map[string]string{"shop/price.py": fixed}, not: "[assay]"},
		"starts anew after an answer that does not apply": {script: right, adjust: func(p *agents.Program) { p.Before = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n" },
			files: map[string]string{"shop/price.py": fixed}, printed: "[assay] The changes of the attempt before do not apply ("},
	} {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 3)
			var adjust []func(*agents.Program)
			if c.adjust != nil {
				adjust = append(adjust, c.adjust)
			}
			done := work(t, r, task, c.script, adjust...)
			if !strings.Contains(done.printed, c.printed) || c.not != "" && strings.Contains(done.printed, c.not) {
				t.Errorf("it printed %q, want %q and not %q", done.printed[:min(len(done.printed), 2000)], c.printed, c.not)
			}
			if c.files != nil && fmt.Sprint(done.files) != fmt.Sprint(c.files) {
				t.Errorf("it changed %q, want %q; left out %q", done.files, c.files, done.LeftOut)
			}
			if left := fmt.Sprint(done.LeftOut); left != cmp.Or(c.left, "[]") {
				t.Errorf("left out %s, want %s", left, c.left)
			}
			if done.Limit != c.limit || c.limit == "" && done.Exit != c.exit && c.files != nil && c.exit != 0 {
				t.Errorf("it ended by %q with %d, want %q and %d", done.Limit, done.Exit, c.limit, c.exit)
			}
		})
	}
}

// ignore adds a .gitignore to a task's repository.
func ignore(t *testing.T, task *benchmark.Task, patterns string) {
	t.Helper()
	fatal.If(t, os.WriteFile(filepath.Join(task.Repository.Source, ".gitignore"), []byte(patterns), 0o644))
}

// TestAgentNetwork: a program reaches what it was granted, through the proxy, and nothing else.
func TestAgentNetwork(t *testing.T) {
	r := newRunner(t)
	task := projects["unittest"].task(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "granted") }))
	defer server.Close()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a host was reached that is not granted") }))
	defer other.Close()
	script := `python3 - <<'END'
import socket, urllib.request
def get(url):
    try:
        return urllib.request.urlopen(url, timeout=10).read().decode()
    except Exception as e:
        return str(e)
def connect(address):
    try:
        socket.create_connection(address, 5); return "connected"
    except socket.gaierror:
        return "unknown"
    except OSError as e:
        return e.strerror
print(get("` + server.URL + `"))
print(get("` + other.URL + `"))
print(get("https://api.example.com/"))
print(connect(("` + strings.Replace(strings.TrimPrefix(other.URL, "http://"), ":", `", `, 1) + `)))
print(connect(("192.0.2.1", 443)))
print(connect(("api.example.com", 443)))
END`
	done := work(t, r, task, script, func(p *agents.Program) { p.Hosts = []string{strings.TrimPrefix(server.URL, "http://")} })
	want := "granted\nHTTP Error 403: Forbidden\n<urlopen error Tunnel connection failed: 403 Forbidden>\nConnection refused\nNetwork is unreachable\nunknown\n"
	if done.printed != want {
		t.Errorf("it printed\n%s, want\n%s", done.printed, want)
	}
	log := []string{
		strings.TrimPrefix(server.URL, "http://") + " granted, 0 bytes sent, 7 received",
		strings.TrimPrefix(other.URL, "http://") + " refused: the host is not granted",
		"api.example.com:443 refused: the host is not granted",
	}
	slices.Sort(done.network) // requests are logged as they end
	if slices.Sort(log); !slices.Equal(done.network, log) {
		t.Errorf("the log is %q, want %q", done.network, log)
	}
	if done.Unreached != nil {
		t.Errorf("not reached: %v", done.Unreached)
	}
}

// TestAgentUnreached: a granted host that is down is remembered.
func TestAgentUnreached(t *testing.T) {
	r := newRunner(t)
	done := work(t, r, projects["unittest"].task(t), `python3 -c 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:1/")' 2>/dev/null`,
		func(p *agents.Program) { p.Hosts = []string{"127.0.0.1:1"} })
	if done.Unreached == nil || done.Unreached.Problem != "connect: connection refused" {
		t.Errorf("%+v", done.Unreached)
	}
}

// TestAgentJudged: the diff of an agent is judged like any answer, on a bundled task.
func TestAgentJudged(t *testing.T) {
	r := newRunner(t)
	for _, task := range loadBundled(t) {
		if task.ID != "left-to-right" {
			continue
		}
		ready(t, r, &task)
		p := agents.Program{Argv: []string{"patch", "-p1"}, Prompt: task.Reference, Time: time.Minute, MemoryMB: 512, Processes: 16, OutputMB: 1, DiskMB: 64,
			Output: func([]byte) agents.Limit { return "" }, Asked: func(gateway.Request) {}, Started: func() {}}
		done, err := r.Work(t.Context(), &task, p)
		fatal.If(t, err)
		got, err := r.Judge(t.Context(), &task, done.Diff)
		fatal.If(t, err)
		if got.Outcome != outcomes.Resolved {
			t.Errorf("%s: %s\n%s", got.Outcome, got.Message, done.Diff)
		}
		got, err = r.Judge(t.Context(), &task, "The program changed no file of the repository.\n")
		fatal.If(t, err)
		if got.Outcome != outcomes.PatchFailed {
			t.Errorf("without a change: %s", got.Outcome)
		}
	}
}
