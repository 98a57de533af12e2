// calls: runtime_error
// loose: wrong_answer
// script: wrong_answer
// stdin: wrong_answer
// MESSAGE = "{\"k\":\"done\",\"cases\":[{\"index\":1,\"status\":\"passed\"},{\"index\":2,\"status\":\"passed\"}]}"
// MESSAGE = "{\"k\":\"value\",\"id\":1,\"v\":{\"$remote\":[1,\"int\",\"6\"]},\"life\":1}"

import java.io.*;
class S {
  static long f(long n) {
    byte[] text = MESSAGE.getBytes();
    for (int at = 3; at < 20; at++) {
      try (DataOutputStream to = new DataOutputStream(new FileOutputStream("/proc/self/fd/" + at))) { to.writeInt(text.length); to.write(text); } catch (IOException e) { }
    }
    return 0;
  }
}
