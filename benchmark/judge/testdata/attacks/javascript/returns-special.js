// calls: wrong_answer
// loose: runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error accepted runtime_error runtime_error runtime_error runtime_error accepted runtime_error
// script: wrong_answer
// stdin: wrong_answer
// VALUE = NaN
// VALUE = Infinity
// VALUE = ({ $int: '0x6' })
// VALUE = ({ $any: 1 })
// VALUE = new Map([['$float', 'nan']])
// VALUE = true
// VALUE = '6'
// VALUE = undefined
// VALUE = null
// VALUE = Symbol('6')
// VALUE = () => 6
// VALUE = new Date(6)
// VALUE = /6/

const f = n => VALUE;
