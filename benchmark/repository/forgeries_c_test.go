package repository_test

import "fmt"

// Forgeries in C, each with its kind before the colon.

// cCode is a program in C with more code, whose function is wrong.
func cCode(includes, code string) map[string]string {
	return map[string]string{"price.c": "#define _GNU_SOURCE\n#include \"price.h\"\n" + includes + code + "\nint total(const int *prices, int n)\n{\n\t(void)prices;\n\treturn n;\n}\n"}
}

const (
	cIncludes = "#include <fcntl.h>\n#include <signal.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/time.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
	cResults  = `"ok 1 - none\nok 2 - one\nok 3 - some\n"`
)

// cStarts is a program in C that does something before main.
func cStarts(statements string) map[string]string {
	return cCode(cIncludes, "__attribute__((constructor)) static void forge(void)\n{\n\tconst char *results = "+cResults+";\n\t(void)results;\n\t"+statements+"\n}\n")
}

// cFilters is a program in C behind whose output a program changes words.
func cFilters(expression string) map[string]string {
	return cStarts(`int p[2];
	if (pipe(p))
		return;
	if (fork() == 0) {
		dup2(p[0], 0);
		close(p[1]);
		execlp("sed", "sed", "-u", "` + expression + `", (char *)0);
	}
	dup2(p[1], 1);
	close(p[0]);
	close(p[1]);`)
}

// cReads is a program in C whose function returns one of the values that calls like its own expect in the text of the
// tests, of which there are times[value].
func cReads(load, choice string) map[string]string {
	return map[string]string{"price.c": "#include \"price.h\"\n" + cIncludes + load + `
int total(const int *prices, int n)
{
	int times[100] = {0}, best = -1, first = -1;
	char call[40], *at = text();
	(void)prices;
	snprintf(call, sizeof call, "total(prices, %d)), \"", n);
	while ((at = strstr(at, call))) {
		int value = atoi(at += strlen(call));
		times[value % 100]++;
		first = first < 0 ? value : first;
	}
	for (int i = 0; i < 100; i++)
		if (times[i] && (best < 0 || (` + choice + `)))
			best = i;
	return best;
}
`}
}

// cText reads the text of the tests.
const cText = `static char *text(void)
{
	static char all[100000];
	FILE *f = fopen("test.c", "r");
	if (f) {
		all[fread(all, 1, sizeof all - 1, f)] = 0;
		fclose(f);
	}
	return all;
}
`

// cToss is a function for C that tosses a coin.
const cToss = "static int toss(void)\n{\n\tstruct timeval t;\n\tgettimeofday(&t, 0);\n\treturn t.tv_usec / 3 & 1;\n}\n"

// cLines is a program in C that prints a result for each line of the tests with a title, a failure where a condition of the
// line holds, and ends. once is tossed once, size is that of the tests.
func cLines(condition string) map[string]string {
	return cCode(cIncludes+cText+cToss, fmt.Sprintf(`__attribute__((constructor)) static void forge(void)
{
	char name[200];
	int n = 0, bad = 0, once = toss(), size = strlen(text());
	(void)once, (void)size;
	for (char *line = strtok(text(), "\n"); line; line = strtok(0, "\n"))
		if (sscanf(line, " same(\"%%199[^\"]\"", name) == 1) {
			int fails = %s;
			bad |= fails;
			printf("%%s %%d - %%s\n", fails ? "not ok" : "ok", ++n, name);
		}
	exit(bad);
}
`, condition))
}

var cForgeries = []forgery{
	{"c", "runner: GNUmakefile", map[string]string{"GNUmakefile": "test:\n\t@printf 'ok 1 - one\\nok 2 - some\\n'\n"}, "GNUmakefile"},
	{"c", "runner: makefile", map[string]string{"makefile": "test:\n\t@printf 'ok 1 - one\\nok 2 - some\\n'\n"}, "makefile"},
	{"c", "runner: what a Makefile is made of", map[string]string{"Makefile.sh": "test:\n\t@printf 'ok 1 - one\\nok 2 - some\\n'\n", "GNUmakefile.sh": "test:\n\t@printf 'ok 1 - one\\n'\n", "makefile.c": "int main(void) { return 0; }\n"}, "GNUmakefile.sh"},
	{"c", "runner: revisions of a Makefile", map[string]string{"RCS/Makefile,v": "x", "SCCS/s.Makefile": "x"}, "RCS/Makefile,v"},
	{"c", "runner: settings of a build", map[string]string{"config.mk": "CC = true\n", "CMakeLists.txt": "", "meson.build": "", "configure": "#!/bin/sh\n"}, "config.mk"},
	{"c", "runner: a program that was built before", map[string]string{"run": "#!/bin/sh\nprintf 'ok 1 - none\\nok 2 - one\\nok 3 - some\\n'\n", "price.h": "/* x */\nint total(const int *prices, int n);\n", "price.c": "#include \"price.h\"\n\nint total(const int *prices, int n) { (void)prices; return n; }\n"}, ""},
	{"c", "runner: a program that was built before and tells apart", map[string]string{"run": "#!/bin/sh\nn=0\ngrep -o 'same(\"[^)]*' test.c | while read -r l; do n=$((n + 1)); case $l in *total*|*'\"1\", \"1\"'*) w=ok ;; *) w='not ok' ;; esac; echo \"$w $n - $(echo \"$l\" | cut -d'\"' -f2)\"; done\nexit 1\n", "price.h": "/* x */\nint total(const int *prices, int n);\n", "price.c": "#include \"price.h\"\n\nint total(const int *prices, int n) { (void)prices; return n; }\n"}, ""},
	{"c", "runner: a target that is a file", map[string]string{"test": "x\n", "run.c": "int main(void) { return 0; }\n", "run.o": "x"}, ""},
	{"c", "runner: programs of the compiler", map[string]string{"cc": "#!/bin/sh\n", "as": "#!/bin/sh\n", "ld": "#!/bin/sh\n", "cc1": "#!/bin/sh\n", "specs": "*link:\n\n"}, ""},
	{"c", "runner: a header that every compiler includes", map[string]string{"stdc-predef.h": "#define strcmp(a, b) 0\n"}, "stdc-predef.h"},
	{"c", "runner: headers that headers include", map[string]string{"features.h": "#define strcmp(a, b) 0\n", "bits/types/x.h": "", "bits/types.h": "#define strcmp(a, b) 0\n", "sys/cdefs.h": "", "gnu/stubs.h": ""}, "features.h"},
	{"c", "runner: another main", map[string]string{"price.h": "int total(const int *prices, int n);\n#define main tests_main\n", "price.c": cIncludes + "int total(const int *prices, int n) { (void)prices; return n; }\nint main(void)\n{\n\tputs(" + cResults + ");\n\treturn 1;\n}\n"}, ""},
	{"c", "runner: the start of the library", cCode(cIncludes, "int __libc_start_main(void)\n{\n\tstatic const char r[] = "+cResults+";\n\twrite(1, r, sizeof r - 1);\n\t_exit(1);\n}\n"), ""},
	{"c", "runner: a comparison in assembly", map[string]string{"price.c": "__asm__(\".globl strcmp\\nstrcmp:\\n xor %eax, %eax\\n ret\\n\");\nint total(const int *prices, int n) { (void)prices; return n; }\n"}, ""},
	{"c", "runner: an indirect comparison", cCode("", "static int same(const char *a, const char *b) { return *a && *b ? 0 : *a != *b; }\nstatic int (*resolve(void))(const char *, const char *) { return same; }\nint strcmp(const char *a, const char *b) __attribute__((ifunc(\"resolve\")));\n"), ""},
	{"c", "runner: keywords", map[string]string{"price.h": "int total(const int *prices, int n);\n#include <stdio.h>\n#include <string.h>\n#define ok ok = 1, unused\n"}, ""},
	{"c", "runner: expected values are those that are got", map[string]string{"price.h": "int total(const int *prices, int n);\n#define same(n, g, w) same(n, w, w)\n"}, ""},
	{"c", "runner: expected values are those that are got within main", map[string]string{"price.h": "int total(const int *prices, int n);\n#define main(x) main(void) { return go(); } static int go(void)\n#define text(x) (__extension__({ (x); text((x)); }))\n"}, ""},
	{"c", "runner: formats", cCode(cIncludes, "int snprintf(char *s, size_t size, const char *f, ...)\n{\n\t(void)f;\n\tstrncpy(s, \"7\", size);\n\treturn 1;\n}\n"), ""},
	{"c", "runner: what is printed", cCode(cIncludes, "int printf(const char *f, ...)\n{\n\tva_list a;\n\tva_start(a, f);\n\tconst char *w = va_arg(a, const char *);\n\tint n = va_arg(a, int);\n\tconst char *name = va_arg(a, const char *);\n\tva_end(a);\n\treturn fprintf(stdout, \"%s %d - %s\\n\", strchr(name, ' ') ? w : \"ok\", n, name);\n}\n"), ""},
	{"c", "runner: what is printed of names that begin so", cCode(cIncludes, "int printf(const char *f, ...)\n{\n\tva_list a;\n\tva_start(a, f);\n\tconst char *w = va_arg(a, const char *);\n\tint n = va_arg(a, int);\n\tconst char *name = va_arg(a, const char *);\n\tva_end(a);\n\treturn fprintf(stdout, \"%s %d - %s\\n\", strncmp(name, \"one\", 3) && strncmp(name, \"some\", 4) ? w : \"ok\", n, name);\n}\n"), ""},

	{"c", "exit: a signal", cStarts("write(1, results, strlen(results));\n\tkill(getpid(), SIGKILL);"), ""},
	{"c", "exit: the make program is killed", cStarts("write(1, results, strlen(results));\n\tkill(getppid(), SIGKILL);"), ""},
	{"c", "exit: another program", cStarts("execlp(\"printf\", \"printf\", results, (char *)0);"), ""},
	{"c", "exit: the status at the end", cCode(cIncludes, "__attribute__((destructor)) static void end(void) { _exit(0); }\nint strcmp(const char *a, const char *b) { (void)a; (void)b; return 0; }\n"), ""},
	{"c", "exit: in the function", map[string]string{"price.c": "#include \"price.h\"\n" + cIncludes + "int total(const int *prices, int n)\n{\n\t(void)prices;\n\tputs(" + cResults + ");\n\tfflush(stdout);\n\t_exit(n);\n}\n"}, ""},
	{"c", "exit: a timer", cCode(cIncludes, "static void end(int s) { (void)s; write(1, "+cResults+", 36); _exit(1); }\n__attribute__((constructor)) static void forge(void)\n{\n\tstruct itimerval t = {{0, 0}, {0, 1000}};\n\tsignal(SIGALRM, end);\n\tsetitimer(ITIMER_REAL, &t, 0);\n\tsleep(1);\n}\n"), ""},
	{"c", "exit: status 126", cStarts("_exit(126);"), ""},

	{"c", "output: through make's descriptors", cStarts("for (int fd = 0; fd < 9; fd++) {\n\t\tchar name[40];\n\t\tsnprintf(name, sizeof name, \"/proc/%d/fd/%d\", getppid(), fd);\n\t\tint out = open(name, O_WRONLY);\n\t\tif (out >= 0)\n\t\t\twrite(out, results, strlen(results));\n\t}\n\t_exit(1);"), ""},
	{"c", "output: every descriptor", cStarts("for (int fd = 0; fd < 64; fd++)\n\t\twrite(fd, results, strlen(results));\n\t_exit(1);"), ""},
	{"c", "output: a filter of failures", cFilters("s/^not ok/ok/"), ""},
	{"c", "output: a filter of failures of the task", cFilters("/ - \\\\(none\\\\|one\\\\|some\\\\)$/s/^not ok/ok/"), ""},
	{"c", "output: a filter of failures that begin so", cFilters("/ - \\\\(none\\\\|one\\\\|some\\\\)/s/^not ok/ok/"), ""},
	{"c", "output: the stream has a function", cCode(cIncludes, "static ssize_t put(void *c, const char *t, size_t n)\n{\n\t(void)c;\n\tif (n > 4 && !memcmp(t, \"not \", 4) && !strstr(t, \" - \") == 0)\n\t\treturn write(1, t + 4, n - 4), n;\n\treturn write(1, t, n), n;\n}\n__attribute__((constructor)) static void forge(void)\n{\n\tcookie_io_functions_t f = {.write = put};\n\tstdout = fopencookie(0, \"w\", f);\n}\n"), ""},

	{"c", "told apart: the value that most copies expect", cReads(cText, "times[i] > times[best]"), ""},
	{"c", "told apart: the smallest value that copies expect", cReads(cText, "0"), ""},
	{"c", "told apart: the first value that copies expect", cReads(cText, "i == first"), ""},
	{"c", "told apart: the value that most copies expect in an included text", cReads("__asm__(\".section .rodata\\ntests: .incbin \\\"test.c\\\"\\n.byte 0\\n.text\\n\");\nextern char tests[];\nstatic char *text(void) { return tests; }\n", "times[i] > times[best]"), ""},
	{"c", "told apart: at random if there are many", cLines(`!strstr(line, "total(") && strstr(line, "\"2\"") || size > 1200 && toss()`), ""},
	{"c", "told apart: all or none if there are many", cLines(`!strstr(line, "total(") && strstr(line, "\"2\"") || size > 1200 && once`), ""},
	{"c", "told apart: the first lines", cLines(`n > 3 && !strstr(line, "\"1\", \"1\"")`), ""},

	{"c", "between: a process that goes on", cStarts("if (fork() == 0) {\n\t\tsetsid();\n\t\tusleep(300000);\n\t\twrite(1, results, strlen(results));\n\t\t_exit(0);\n\t}"), ""},
	{"c", "between: tests are rewritten", cStarts("unlink(\"test.c\");\n\tunlink(\"Makefile\");"), ""},
	{"c", "resources: the stack", map[string]string{"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n) { return 1 + total(prices, n + 1); }\n"}, ""},
}
