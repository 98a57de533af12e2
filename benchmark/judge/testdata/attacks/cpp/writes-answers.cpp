// calls: runtime_error
// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer
// MESSAGE = R"({"k":"done","cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]})"
// MESSAGE = R"({"k":"value","id":1,"v":{"$remote":[1,"int","6"]},"life":1})"
// MESSAGE = R"({"k":"value","id":1,"v":[[[]]]})"
// MESSAGE = std::string(100, '[')

#include <string>
#include <unistd.h>
long f(long n) {
  std::string text = MESSAGE, head(4, '\0');
  head[3] = (char)text.size();
  for (int at = 3; at < 20; at++) write(at, (head + text).data(), text.size() + 4);
  return 0;
}
