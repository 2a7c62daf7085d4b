/* Arduino Uno and Nano (ATmega328P): which pin does what. Plain C: the simulator reads it too. */
#ifndef THISTLEBOT_BOARDS_UNO_H
#define THISTLEBOT_BOARDS_UNO_H

/* PIN(channel, port, bit) for the motors U R F D L B; the Arduino's pin name beside it. */
#define THISTLEBOT_UNO_STEP_PINS(PIN) \
  PIN(0, D, 4) /* D4 */               \
  PIN(1, D, 5) /* D5 */               \
  PIN(2, D, 6) /* D6 */               \
  PIN(3, D, 7) /* D7 */               \
  PIN(4, B, 0) /* D8 */               \
  PIN(5, B, 1) /* D9 */

#define THISTLEBOT_UNO_DIR_PINS(PIN) \
  PIN(0, B, 2) /* D10 */             \
  PIN(1, B, 3) /* D11 */             \
  PIN(2, B, 4) /* D12 */             \
  PIN(3, C, 0) /* A0 */              \
  PIN(4, C, 1) /* A1 */              \
  PIN(5, C, 2) /* A2 */

#define THISTLEBOT_UNO_ENABLE_PIN C, 3 /* A3 */
#define THISTLEBOT_UNO_ESTOP_PIN D, 2  /* D2 = INT0 */
#define THISTLEBOT_UNO_BUTTON_PIN D, 3 /* D3 */
#define THISTLEBOT_UNO_STALL_PIN C, 4  /* A4, of all drivers together: six pins are not free */
#define THISTLEBOT_UNO_LED_PIN B, 5    /* D13, on the board */

#endif
