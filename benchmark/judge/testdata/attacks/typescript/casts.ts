// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

const f: any = ((n: number) => 0) as any;
f.valueOf = () => 6;
f[Symbol.toPrimitive] = () => 6;
