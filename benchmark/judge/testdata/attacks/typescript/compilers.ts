// calls: compile_error|wrong_answer
// loose: compile_error|runtime_error
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|wrong_answer
// TEXT = declare const process: any
// TEXT = /// <reference path="/etc/passwd" />
// TEXT = /// <reference types="node" />
// TEXT = /// <reference lib="esnext" />
// TEXT = type Deep<T, N extends any[] = []> = N['length'] extends 900 ? T : Deep<T[], [...N, 0]>; let deep: Deep<0> = null as any
// TEXT = // @ts-ignore⏎const assayRequire = null
// TEXT = namespace assert { export const deepEqual: any = () => {}; }
// TEXT = enum Number2 { six = 6 }
// TEXT = export = f
// TEXT = export default f
// TEXT = import assert = require('assert')
// TEXT = abstract class A { abstract x: number } 
// TEXT = declare module 'assert' { const x: any; export = x }
// TEXT = const enum E { A = 6 } (globalThis as any).assert = () => {}

TEXT;
function f(n: number): any { return 0; }
