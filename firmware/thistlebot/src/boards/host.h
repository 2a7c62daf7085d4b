/* The computer that runs the tests of the core: a board without pins. */
#define THISTLEBOT_BOARD_NAME "host"
#define THISTLEBOT_BOARD_KIND HOST
#define THISTLEBOT_CLOCK_HZ 16000000
#ifndef THISTLEBOT_LANES
#define THISTLEBOT_LANES 2
#endif
#define THISTLEBOT_MOTORS 6
