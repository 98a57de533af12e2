// task: list
// calls: wrong_answer
// loose: accepted runtime_error runtime_error accepted
// script: wrong_answer
// stdin: wrong_answer
// LIST = ({ length: 2, [Symbol.iterator]: function* () {} })
// LIST = Object.defineProperty([], 'length', { value: 2 })
// LIST = new Proxy([], { get: (list, key) => key === 'length' ? 2 : list[key] })
// LIST = new Proxy([0, 0], { get: (list, key) => key === Symbol.iterator ? function* () {} : list[key] })

const f = n => LIST;
