// The fork server of programs in JavaScript, see node_linux.c.txt of the sandbox. Each
// program begins in a process of its own, at the place where serve returns.
'use strict';
const fs = require('fs'), Module = require('module');
const library = { exports: {} };
process.dlopen(library, process.argv[2]);
const { serve, wire, ended } = library.exports;
const flags = process.execArgv.filter((flag) => flag !== '--single-threaded');
const emit = process.emit;

function take(size) {
  const data = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) {
    const got = fs.readSync(3, data, at, size - at, null);
    if (got === 0) process.reallyExit(70);
    at += got;
  }
  return data;
}

function begin() {
  const order = take(parseInt(take(8).toString('latin1'), 16)).toString('utf8').split('\0');
  const answers = Number(order[0]), count = Number(order[2]);
  const main = order[2 + count];
  for (let i = 3 + count; i < order.length; i += 2) {
    const name = order[i], slash = name.lastIndexOf('/');
    if (slash > 0) fs.mkdirSync(name.slice(0, slash), { recursive: true });
    fs.writeFileSync(name, take(Number(order[i + 1])), { mode: 0o755 });
  }
  const chance = wire(answers);
  if (chance < 0) process.abort();
  for (let left = chance % 4096; left > 0; left--) Math.random(); // whose state is every program's
  // The program's own listeners have run when emit returns.
  Object.defineProperty(process, 'emit', {
    configurable: true, writable: true, enumerable: false,
    value: function (name, ...args) {
      const heard = Reflect.apply(emit, this, [name, ...args]);
      if (name === 'exit') ended(Number(process.exitCode ?? args[0] ?? 0));
      return heard;
    },
  });
  delete Module._cache[__filename];
  process.execArgv = flags;
  process.argv.splice(1, 2, process.cwd() + '/' + main);
  Object.defineProperty(process, 'pid', { ...Object.getOwnPropertyDescriptor(process, 'pid'), value: 2 }); // as in all boxes
  setImmediate(Module.runMain); // which leaves nothing of this file on the stack
}

// Once, so that no program is the first to do this.
parseInt(Buffer.from('0').toString('latin1'), 16);
const failed = serve();
if (failed) throw new Error('the fork server failed: ' + failed);
begin();
