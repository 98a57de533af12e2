// calls: runtime_error|wrong_answer
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// FRAME = R"({"k":"value","id":1,"v":{"$remote":[1,"int","6"]}})"
// FRAME = R"({"k":"value","id":1,"v":{"$complex":[{"$float":"nan"},0]}})"
// FRAME = R"({"k":"value","id":1,"v":0,"changed":[[0,6]],"shared":{"assign":[],"drop":[]}})"
// FRAME = R"({"k":"value","id":1,"v":true})"
// FRAME = R"({"k":"value","id":1,"v":1e999})"
// FRAME = R"({"k":"value","id":1,"v":NaN})"
// FRAME = R"({"k":"done","id":1,"cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]})"
// FRAME = R"({"k":"raise","id":1,"type":"StopIteration","names":["StopIteration"],"text":""})"
// FRAME = R"({"k":"raise","id":1,"type":"GeneratorExit","names":["GeneratorExit"],"text":""})"
// FRAME = R"({"k":"raise","id":1,"type":"AssertionError","names":["AssertionError"],"text":"6"})"

#include <string>
#include <unistd.h>
long f(long n) {
  for (int id = 1; id < 3; id++) {
    std::string text = FRAME, head(4, '\0');
    text.replace(text.find("\"id\":1") + 5, 1, std::to_string(id));
    head[3] = (char)text.size();
    if (write(4, (head + text).data(), text.size() + 4) < 0) return 0;
  }
  for (;;) usleep(1000);
}
