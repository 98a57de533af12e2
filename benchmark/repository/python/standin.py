# Stands for programs that fetch packages, in boxes without a network: what is installed on the machine counts as
# installed, whatever its version, and what is missing is named. The name under which it is called decides.
import os
import re
import sys

name, args = os.path.basename(sys.argv[0]), sys.argv[1:]
here = os.path.dirname(os.path.abspath(sys.argv[0]))


def say(text):
    print("assay: " + text, file=sys.stderr)


def fail(text):
    say(text)
    sys.exit(100)


def real(program, args):
    path = os.pathsep.join(d for d in os.environ["PATH"].split(os.pathsep) if d != here)
    for d in path.split(os.pathsep):
        if os.access(os.path.join(d, program), os.X_OK):
            os.execv(os.path.join(d, program), [program] + args)
    fail("there is no program %s" % program)


# What drives a terminal for an agent, which a box does without, and parts of what is stood for.
unneeded = {"tmux", "asciinema", "uv", "apt-utils", "pip", "setuptools", "wheel", "pytest-json-ctrf", "ca-certificates", "software-properties-common"}


def plain(args, valued):
    found, skip = [], False
    for a in args:
        if skip:
            skip = False
        elif a.startswith("-"):
            skip = a in valued
        else:
            found.append(a)
    return found


def apt(args):
    words = plain(args, {"-o", "-t", "-c", "--option", "--target-release", "-a"})
    if not words or words[0] not in ("install", "reinstall", "build-dep"):
        return
    known = set()
    try:
        with open("/var/lib/dpkg/status", encoding="utf-8", errors="replace") as f:
            for entry in f.read().split("\n\n"):
                fields = dict(re.findall(r"^(Package|Status|Provides): (.*)$", entry, re.M))
                if fields.get("Status", "").endswith(" installed"):
                    known.add(fields["Package"])
                    known.update(re.split(r"[ (]", p.strip())[0] for p in fields.get("Provides", "").split(","))
    except OSError:
        pass
    missing = [w for w in words[1:] if re.split("[=:/]", w)[0].rstrip("+") not in known | unneeded]
    if missing:
        fail("of Debian's packages, %s %s not installed on this machine" % (", ".join(missing), "is" if len(missing) == 1 else "are"))


def distributions(words):
    import importlib.metadata
    wanted = []
    for w in words:
        m = re.match(r"\s*([A-Za-z0-9][\w.-]*)\s*(\[[^]]*\])?\s*([^;#]*)", w)
        if not m or "/" in w or w.endswith((".whl", ".gz")):
            fail("the Python package %s is not one of a registry" % w)
        wanted.append((m.group(1), m.group(3).strip()))
    normal = lambda n: re.sub(r"[-_.]+", "-", n).lower()
    installed = {}
    for d in importlib.metadata.distributions():
        if d.metadata["Name"]:
            installed.setdefault(normal(d.metadata["Name"]), d.version)
    missing = [n for n, _ in wanted if normal(n) not in installed and normal(n) not in unneeded]
    for n, version in wanted:
        have = installed.get(normal(n))
        if have and version.startswith("==") and version[2:].strip() != have:
            say("%s %s stands for %s" % (n, have, version[2:].strip()))
    if missing:
        fail("the Python packages %s are not installed on this machine" % ", ".join(missing))


def pip(args):
    words = plain(args, {"-r", "--requirement", "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--trusted-host",
                         "-t", "--target", "--prefix", "--root", "--python", "-p", "--timeout", "--retries"})
    if not words or words[0] != "install":
        if words and words[0] in ("list", "show", "freeze", "check"):
            real(name if name.startswith("pip") else "pip3", args)
        return
    wanted = words[1:]
    for i, a in enumerate(args[:-1]):
        if a in ("-r", "--requirement"):
            with open(args[i + 1], encoding="utf-8") as f:
                lines = (line.split(" #")[0].strip() for line in f)
                wanted += [line for line in lines if line and not line.startswith(("#", "-"))]
    distributions(wanted)


def activate(dir):
    os.makedirs(os.path.join(dir, "bin"), exist_ok=True)
    open(os.path.join(dir, "bin", "activate"), "a").close()


def tool(args):  # uvx, and uv run
    command, i, wanted = [], 0, []
    while i < len(args):
        a = args[i]
        if a in ("-w", "--with", "--from"):
            wanted += args[i + 1:i + 2]
            i += 2
        elif a in ("-p", "--python", "--project", "--directory", "--index-url", "--extra", "--group"):
            i += 2
        elif a.startswith("-"):
            if a.startswith(("--with=", "--from=")):
                wanted.append(a.split("=", 1)[1])
            i += 1
        else:
            command = args[i:]
            break
    distributions([w for group in wanted for w in group.split(",")])
    if command and command[0].endswith(".py"):
        command = ["python3"] + command
    if command:
        command[0] = command[0].split("@")[0]
        os.execvp(command[0], command)


def uv(args):
    words = plain(args, {"-p", "--python", "--directory", "--project"})
    verb = words[0] if words else ""
    if verb == "venv":
        activate(words[1] if len(words) > 1 else ".venv")
    elif verb in ("init", "sync", "lock"):
        activate(".venv")
    elif verb == "add":
        distributions(words[1:])
    elif verb == "pip":
        pip(args[args.index("pip") + 1:])
    elif verb == "tool" and len(words) > 2 and words[1] == "run":
        tool(args[args.index("run") + 1:])
    elif verb == "tool" and len(words) > 2:
        distributions(words[2:])
    elif verb == "run":
        tool(args[args.index("run") + 1:])


def fetch(args):
    if any(re.match(r"https://(astral\.sh/uv/|github\.com/astral-sh/uv/)\S*install\S*\.sh$", a) for a in args):
        print('mkdir -p "$HOME/.local/bin" && : >>"$HOME/.local/bin/env" && ln -sf %s/uv %s/uvx "$HOME/.local/bin"' % (here, here))
        return
    real(name, ["--no-progress-meter"] + args if name == "curl" else args)


def pytest(args):
    kept, i = [], 0
    while i < len(args):
        if args[i] == "--ctrf":
            i += 2
            continue
        if not args[i].startswith("--ctrf="):
            kept.append(args[i])
        i += 1
    program = "import sys; sys.path[:] = [p for p in sys.path if p]; import pytest; sys.exit(pytest.console_main())"
    os.execvp("python3", ["python3", "-c", program] + kept)


def user(args):
    if name in ("useradd", "adduser") and args:
        os.makedirs("/home/" + os.path.basename(args[-1]), exist_ok=True)


{"apt-get": apt, "apt": apt, "pip": pip, "pip3": pip, "uv": uv, "uvx": tool, "curl": fetch, "wget": fetch, "pytest": pytest, "py.test": pytest}.get(name, user)(args)
