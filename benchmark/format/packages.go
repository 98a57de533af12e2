package format

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// pythonModules are the modules of Python's standard library, from Python 3.11's sys.stdlib_module_names.
const pythonModules = `
abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal
difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html
http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma
mailbox mailcap marshal math mimetypes mmap modulefinder msilib multiprocessing netrc nis nntplib numbers
operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib pprint
profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re readline reprlib resource
rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig
syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize
tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid
venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`

// packageNames maps DS-1000's names to those of Python packages.
var packageNames = map[string]string{"pytorch": "torch"}

var importedModule = regexp.MustCompile(`^(?:import|from) (\w+)`)

// Packages lists the packages that tasks declare and Python does not include: the libraries of BigCodeBench
// and DS-1000, and ClassEval's import statements. Without them even correct answers fail.
func Packages(b *benchmark.Benchmark) []string {
	brought := strings.Fields(pythonModules)
	var names []string
	for i := range b.Tasks {
		t := &b.Tasks[i]
		var metadata struct {
			Library string `json:"library"`
		}
		if t.Tests.Style == benchmark.Script && t.Extra["metadata"] != nil {
			_ = json.Unmarshal(t.Extra["metadata"], &metadata) // other formats have none
		}
		used := append(libraryNames(t.Extra["libs"]), strings.ToLower(metadata.Library))
		var statements []string
		_ = json.Unmarshal(t.Extra["import_statement"], &statements) // other formats have none
		for _, statement := range statements {
			if found := importedModule.FindStringSubmatch(statement); found != nil {
				used = append(used, found[1])
			}
		}
		for _, name := range used {
			if other := packageNames[name]; other != "" {
				name = other
			}
			if name != "" && !slices.Contains(brought, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
