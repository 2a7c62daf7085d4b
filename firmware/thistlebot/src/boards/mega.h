/* Arduino Mega 2560: which pin does what. Plain C: the simulator reads it too. */
#ifndef THISTLEBOT_BOARDS_MEGA_H
#define THISTLEBOT_BOARDS_MEGA_H

/* PIN(channel, port, bit) for the motors U R F D L B; the Arduino's pin name beside it. */
#define THISTLEBOT_MEGA_STEP_PINS(PIN) \
  PIN(0, A, 0) /* D22 */               \
  PIN(1, A, 2) /* D24 */               \
  PIN(2, A, 4) /* D26 */               \
  PIN(3, A, 6) /* D28 */               \
  PIN(4, C, 7) /* D30 */               \
  PIN(5, C, 5) /* D32 */

#define THISTLEBOT_MEGA_DIR_PINS(PIN) \
  PIN(0, A, 1) /* D23 */              \
  PIN(1, A, 3) /* D25 */              \
  PIN(2, A, 5) /* D27 */              \
  PIN(3, A, 7) /* D29 */              \
  PIN(4, C, 6) /* D31 */              \
  PIN(5, C, 4) /* D33 */

/* Of each driver alone. */
#define THISTLEBOT_MEGA_STALL_PINS(PIN) \
  PIN(0, K, 0) /* A8 */                 \
  PIN(1, K, 1) /* A9 */                 \
  PIN(2, K, 2) /* A10 */                \
  PIN(3, K, 3) /* A11 */                \
  PIN(4, K, 4) /* A12 */                \
  PIN(5, K, 5) /* A13 */

#define THISTLEBOT_MEGA_ENABLE_PIN C, 3 /* D34 */
#define THISTLEBOT_MEGA_ESTOP_PIN E, 4  /* D2 = INT4 */
#define THISTLEBOT_MEGA_BUTTON_PIN E, 5 /* D3 */
#define THISTLEBOT_MEGA_STALL_PIN C, 2  /* D35, of all drivers together */
#define THISTLEBOT_MEGA_LED_PIN B, 7    /* D13, on the board */

#endif
