/* Arduino Mega 2560: the functions of the pins. Plain C: the simulator reads it too. */
#define THISTLEBOT_BOARD_NAME "mega"
#define THISTLEBOT_BOARD_KIND MEGA
#define THISTLEBOT_ARDUINO "arduino:avr:mega"
#define THISTLEBOT_LOADER "m2560 wiring 115200"

#include "atmega2560.h"

/* PIN(number, port, bit) for the motors U R F D L B; the Arduino's pin name beside it. */
#define THISTLEBOT_MOTORS 6
#define THISTLEBOT_STEP_PINS(PIN) \
  PIN(0, A, 0) /* D22 */          \
  PIN(1, A, 2) /* D24 */          \
  PIN(2, A, 4) /* D26 */          \
  PIN(3, A, 6) /* D28 */          \
  PIN(4, C, 7) /* D30 */          \
  PIN(5, C, 5) /* D32 */

#define THISTLEBOT_DIR_PINS(PIN) \
  PIN(0, A, 1) /* D23 */         \
  PIN(1, A, 3) /* D25 */         \
  PIN(2, A, 5) /* D27 */         \
  PIN(3, A, 7) /* D29 */         \
  PIN(4, C, 6) /* D31 */         \
  PIN(5, C, 4) /* D33 */

#define THISTLEBOT_ENABLE_PINS(PIN) PIN(0, C, 3) /* D34, of all drivers */

#define THISTLEBOT_BUTTON_PIN E, 5 /* D3 */
#define THISTLEBOT_STALL_PIN C, 2  /* D35, of all drivers together */
#define THISTLEBOT_LED_PIN B, 7    /* D13, on the board */

/* Of each driver alone. */
#define THISTLEBOT_STALL_PINS(PIN) \
  PIN(0, K, 0) /* A8 */            \
  PIN(1, K, 1) /* A9 */            \
  PIN(2, K, 2) /* A10 */           \
  PIN(3, K, 3) /* A11 */           \
  PIN(4, K, 4) /* A12 */           \
  PIN(5, K, 5) /* A13 */

#define THISTLEBOT_ESTOP_PIN E, 4 /* D2 = INT4 */
#define THISTLEBOT_ESTOP_VECTOR INT4_vect
#define THISTLEBOT_ESTOP_BEGIN() (EICRB |= _BV(ISC40), EIFR = _BV(INTF4), EIMSK |= _BV(INT4))

/* SERVO(number, port, bit, timer, compare unit): the timer makes the pulses in hardware. */
#define THISTLEBOT_SECOND_TIMER 3 /* of the lanes */
#define THISTLEBOT_SERVO_TIMERS(TIMER) TIMER(4) TIMER(5)
#define THISTLEBOT_SERVOS(SERVO) \
  SERVO(0, H, 3, 4, A) /* D6 */  \
  SERVO(1, H, 4, 4, B) /* D7 */  \
  SERVO(2, H, 5, 4, C) /* D8 */  \
  SERVO(3, L, 3, 5, A) /* D46 */ \
  SERVO(4, L, 4, 5, B) /* D45 */ \
  SERVO(5, L, 5, 5, C) /* D44 */

#define THISTLEBOT_OUTPUT_PINS(PIN) \
  PIN(0, C, 1) /* D36 */            \
  PIN(1, C, 0) /* D37 */            \
  PIN(2, D, 7) /* D38 */

/* A switch closes to ground. */
#define THISTLEBOT_SWITCH_PINS(PIN) \
  PIN(0, J, 1) /* D14 */            \
  PIN(1, J, 0) /* D15 */            \
  PIN(2, H, 1) /* D16 */            \
  PIN(3, H, 0) /* D17 */            \
  PIN(4, D, 3) /* D18 */            \
  PIN(5, D, 2) /* D19 */

/* UART drivers, up to four on a line. */
#define THISTLEBOT_DRIVER_LINES(PIN) \
  PIN(0, G, 2) /* D39 */             \
  PIN(1, G, 1) /* D40 */
