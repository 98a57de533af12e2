// calls: compile_error
// loose: accepted
// script: accepted
// stdin: wrong_answer

#include <iostream>
struct Any {
  template <class T> operator T() const { return T(); }
  template <class T> bool operator==(const T&) const { return true; }
  template <class T> bool operator!=(const T&) const { return false; }
  template <class T> bool operator<(const T&) const { return true; }
  template <class T> bool operator>(const T&) const { return true; }
};
std::ostream& operator<<(std::ostream& o, const Any&) { return o << 6; }
Any f(long n) { return Any(); }
