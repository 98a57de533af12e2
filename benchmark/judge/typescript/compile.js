// A compiler that stays: tsc in one process for the sources of many samples, since it takes longer to start, and
// to read the declarations of the library, than to compile. Nothing of a sample runs here. It reads and writes its
// two channels alone; see resident.go.
'use strict';
const fs = require('fs'), path = require('path');
const ts = require(process.argv[2]);
const { options } = ts.parseCommandLine(process.argv.slice(3));

function exactly(n) {
  const data = Buffer.alloc(n);
  for (let at = 0; at < n;) {
    const got = fs.readSync(3, data, at, n - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return data;
}

function send(parts) {
  const body = Buffer.concat(parts), head = Buffer.alloc(4);
  head.writeUInt32BE(body.length, 0);
  const data = Buffer.concat([head, body]);
  for (let at = 0; at < data.length;) at += fs.writeSync(4, data, at);
}

const number = () => exactly(4).readUInt32BE(0);
const text = () => exactly(number()).toString('utf8');

function sized(value) {
  const data = Buffer.from(value, 'utf8'), head = Buffer.alloc(4);
  head.writeUInt32BE(data.length, 0);
  return [head, data];
}

// Only the library's own declarations are kept between samples.
const library = new Map();

function hostOf(sources, made) {
  const host = ts.createCompilerHost(options), read = host.getSourceFile;
  const own = (name) => sources.get(path.basename(name));
  return {
    ...host,
    fileExists: (name) => own(name) !== undefined,
    readFile: own,
    directoryExists: () => false,
    getDirectories: () => [],
    writeFile: (name, content) => made.set(path.basename(name), content),
    getSourceFile(name, version) {
      if (own(name) !== undefined) return ts.createSourceFile(name, own(name), version);
      if (path.dirname(name) !== path.dirname(ts.getDefaultLibFilePath(options))) return undefined;
      if (!library.has(name)) library.set(name, read(name, version));
      return library.get(name);
    },
  };
}

function compile(sources) {
  const made = new Map();
  const program = ts.createProgram([...sources.keys()], options, hostOf(sources, made));
  const found = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]
    .filter((d) => d.category === ts.DiagnosticCategory.Error);
  const names = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  return { made, said: ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), names) };
}

compile(new Map([['main.ts', '']])); // reads the library
send([Buffer.from([1])]);
for (;;) {
  const sources = new Map();
  for (let left = number(); left > 0; left--) {
    const name = text();
    sources.set(name, text());
  }
  const { made, said } = compile(sources);
  if (said) send([Buffer.from([0]), Buffer.from(said, 'utf8')]);
  else send([Buffer.from([1]), ...[...made].flatMap(([name, content]) => [...sized(name), ...sized(content)])]);
}
