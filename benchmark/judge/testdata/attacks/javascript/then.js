// calls: wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

const f = n => ({ then(done) { done(0); } });
