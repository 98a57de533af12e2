// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer

const fs = require('fs');
const f = n => { for (let at = 3; at < 20; at++) { try { fs.closeSync(at); } catch {} } return 0; };
