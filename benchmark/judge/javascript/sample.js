// The sample's side for JavaScript: what python/sample.py is for Python. It
// shares a process with untrusted code, so nothing that it says is believed
// beyond "this call returned that value".
'use strict';
(() => {
  // The program may have classes and variables of these names.
  const realm = globalThis, { Array, ArrayBuffer, BigInt, Boolean, Buffer, DataView, Date, Error, JSON, Map, Number, Object, RegExp, Set, String,
    Uint8Array, process, require } = realm;
  const fs = require('fs'), vm = require('vm');
  const MAX_DEPTH = 150, MAX_NODES = 2000000;
  class TooLarge extends Error {}

  function exactly(n) {
    const data = Buffer.alloc(n);
    for (let at = 0; at < n;) {
      const got = fs.readSync(3, data, at, n - at, null);
      if (got === 0) process.exit(0);
      at += got;
    }
    return data;
  }

  const receive = () => JSON.parse(exactly(exactly(4).readUInt32BE(0)).toString('utf8'));

  function send(message) {
    const text = Buffer.from(JSON.stringify(message), 'utf8');
    const head = Buffer.alloc(4);
    head.writeUInt32BE(text.length, 0);
    const data = Buffer.concat([head, text]);
    for (let at = 0; at < data.length;) at += fs.writeSync(4, data, at);
  }

  function opaque(type, value) {
    let text = '';
    try { text = String(value).slice(0, 200); } catch { text = ''; }
    return { $opaque: { type, text: text || type } };
  }

  // encoded returns what a value is sent as. One that is too large only because it has a part many
  // times is opaque: it can equal nothing that could be sent.
  function encoded(returned) {
    let left = MAX_NODES, shared = false;
    const known = new Map(); // containers: what they are sent as, and how many values that has
    const all = (values, depth) => Array.from(values, (v) => encode(v, depth + 1));
    function encode(value, depth) {
      if (--left < 0) throw new TooLarge();
      switch (typeof value) {
        case 'boolean': return value;
        case 'string': return value;
        case 'number': return Number.isFinite(value) ? value : { $float: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' };
        case 'bigint': return { $int: (value < 0n ? '-0x' : '0x') + (value < 0n ? -value : value).toString(16) };
        case 'undefined': return opaque('undefined', value);
        case 'function': return opaque('function', value.name);
        case 'symbol': return opaque('symbol', value);
      }
      if (value === null) return null;
      if (depth > MAX_DEPTH) return opaque('object', '…');
      const seen = known.get(value);
      if (seen) {
        shared = true;
        if ((left -= seen.size) < 0) throw new TooLarge();
        return seen.sent;
      }
      const entry = { sent: opaque('object', 'what contains itself'), size: 0 }, before = left;
      known.set(value, entry);
      entry.sent = container(value, depth);
      entry.size = before - left;
      return entry.sent;
    }
    function container(value, depth) {
      if (Array.isArray(value)) return all(value, depth);
      if (value instanceof Set) return { $set: all(value, depth) };
      if (value instanceof Map) return { $dict: Array.from(value, (pair) => all(pair, depth)) };
      if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
      if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return all(value, depth);
      if (value instanceof Number || value instanceof String || value instanceof Boolean) return encode(value.valueOf(), depth);
      if (value instanceof Date || value instanceof RegExp || value instanceof Error) return opaque(value.constructor.name, value);
      const keys = Object.keys(value);
      if (keys.length === 1 && keys[0].startsWith('$')) return { $dict: [[keys[0], encode(value[keys[0]], depth + 1)]] };
      const entries = keys.map((k) => [k, encode(value[k], depth + 1)]);
      return Object.fromEntries(entries);
    }
    try {
      return encode(returned, 0);
    } catch (e) {
      if (e instanceof TooLarge && shared) return opaque('object', 'what has one part many times');
      throw e;
    }
  }

  function decode(value) {
    if (Array.isArray(value)) return value.map(decode);
    if (value === null || typeof value !== 'object') return value;
    const keys = Object.keys(value);
    if (keys.length === 1 && keys[0].startsWith('$')) {
      const body = value[keys[0]];
      switch (keys[0]) {
        case '$tuple': return body.map(decode);
        case '$set': case '$frozenset': return new Set(body.map(decode));
        case '$dict': return new Map(body.map((pair) => pair.map(decode)));
        case '$bytes': return new Uint8Array(Buffer.from(body, 'base64'));
        case '$float': return { nan: NaN, inf: Infinity, '-inf': -Infinity }[body];
        case '$int': return body.startsWith('-') ? -BigInt(body.slice(1)) : BigInt(body);
      }
    }
    return Object.fromEntries(keys.map((k) => [k, decode(value[k])]));
  }

  // failure describes what was thrown: its class and the classes above, and where
  // in the program.
  function failure(k, e, program) {
    const names = [];
    let type = 'thrown', text = '', line = 0;
    try {
      if (e instanceof Error) {
        type = e.name || e.constructor.name;
        text = e.message;
        for (let c = e.constructor; c && c.name; c = Object.getPrototypeOf(c)) names.push(c.name);
        if (!names.includes(type)) names.unshift(type);
        const at = /solution\.js:(\d+)/.exec(e.stack);
        line = at ? Number(at[1]) : 0;
      } else {
        text = String(e);
      }
    } catch { /* it says nothing */ }
    const source = line > 0 ? (program.split('\n')[line - 1] || '').trim().slice(0, 120) : '';
    return { k, type: String(type), names: names.map(String), text: String(text).slice(0, 2000), line, source };
  }

  function lookUp(entry) {
    // Looked up at each call: the program may rebind its own function.
    const found = vm.runInThisContext('typeof ' + entry + ' === "undefined" ? undefined : ' + entry);
    if (found !== undefined) return found;
    const exported = realm.module.exports;
    return typeof exported === 'function' ? exported : exported[entry];
  }

  async function main() {
    send({ k: 'ready' });
    const { program, entry } = receive();
    realm.require = require;
    realm.module = { exports: {} };
    realm.exports = realm.module.exports;
    let script;
    try {
      script = new vm.Script(program, { filename: 'solution.js' });
    } catch (e) {
      return send(failure('syntax', e, program));
    }
    let answer = { k: 'loaded' };
    try {
      script.runInThisContext();
      if (typeof lookUp(entry) !== 'function') {
        answer = { k: 'load', type: 'ReferenceError', names: [], text: 'the answer defines no function ' + entry };
      }
    } catch (e) {
      answer = failure('load', e, program);
    }
    send(answer);
    for (;;) {
      const order = receive();
      try {
        const value = await lookUp(entry)(...order.args.map(decode));
        answer = { k: 'value', v: encoded(value) };
      } catch (e) {
        answer = e instanceof TooLarge ? { k: 'large' } : failure('raise', e, program);
      }
      answer.id = order.id;
      send(answer);
    }
  }

  main();
})();
