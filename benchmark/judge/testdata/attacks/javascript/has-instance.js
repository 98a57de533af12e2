// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

class Any { static [Symbol.hasInstance]() { return true; } }
globalThis.Set = globalThis.Map = globalThis.Uint8Array = Any;
const f = n => new Any();
