// A test is a function that checks things; the first check that fails ends the run.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*run)()) { tests().push_back(Test{name, run}); }
};

inline void fail(const char* file, int line, const char* text) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, text);
  std::exit(1);
}

}  // namespace check

#define TEST(name)                                            \
  static void name();                                         \
  static const check::Registration register_##name(#name, name); \
  static void name()

#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition); \
  } while (false)

#define CHECK_EQUAL(left, right)                                                          \
  do {                                                                                    \
    const long long left_value = static_cast<long long>(left);                            \
    const long long right_value = static_cast<long long>(right);                          \
    if (left_value != right_value) {                                                      \
      std::fprintf(stderr, "%lld is not %lld\n", left_value, right_value);                \
      check::fail(__FILE__, __LINE__, #left " == " #right);                               \
    }                                                                                     \
  } while (false)
