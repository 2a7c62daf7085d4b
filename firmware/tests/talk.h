// A board in simulated time that another program talks to, line by line: see talk.cpp.
#pragma once

namespace thistlebot {

// Reads commands from standard input until its end.
int talk();

}  // namespace thistlebot
