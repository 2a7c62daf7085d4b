/* Arduino Mega 2560 with RAMPS 1.4 to 1.6: X Y Z E0 E1, and a sixth driver on AUX-2. */
#define THISTLEBOT_BOARD_NAME "ramps"
#define THISTLEBOT_BOARD_KIND RAMPS
#define THISTLEBOT_ARDUINO "arduino:avr:mega"
#define THISTLEBOT_LOADER "m2560 wiring 115200"

#include "atmega2560.h"

#define THISTLEBOT_MOTORS 6
#define THISTLEBOT_STEP_PINS(PIN) \
  PIN(0, F, 0) /* D54, X */       \
  PIN(1, F, 6) /* D60, Y */       \
  PIN(2, L, 3) /* D46, Z */       \
  PIN(3, A, 4) /* D26, E0 */      \
  PIN(4, C, 1) /* D36, E1 */      \
  PIN(5, L, 7) /* D42, AUX-2 */

#define THISTLEBOT_DIR_PINS(PIN) \
  PIN(0, F, 1) /* D55 */         \
  PIN(1, F, 7) /* D61 */         \
  PIN(2, L, 1) /* D48 */         \
  PIN(3, A, 6) /* D28 */         \
  PIN(4, C, 3) /* D34 */         \
  PIN(5, L, 5) /* D44, AUX-2 */

#define THISTLEBOT_ENABLE_PINS(PIN) \
  PIN(0, D, 7) /* D38 */            \
  PIN(1, F, 2) /* D56 */            \
  PIN(2, K, 0) /* D62 */            \
  PIN(3, A, 2) /* D24 */            \
  PIN(4, C, 7) /* D30 */            \
  PIN(5, K, 4) /* D66, AUX-2 */

#define THISTLEBOT_BUTTON_PIN C, 2 /* D35, AUX-4: the push button of a controller with display */
#define THISTLEBOT_STALL_PIN K, 3  /* D65, AUX-2 */
#define THISTLEBOT_LED_PIN B, 7    /* D13 */

#define THISTLEBOT_ESTOP_PIN E, 4 /* D2, X_MAX = INT4 */
#define THISTLEBOT_ESTOP_VECTOR INT4_vect
#define THISTLEBOT_ESTOP_BEGIN() (EICRB |= _BV(ISC40), EIFR = _BV(INTF4), EIMSK |= _BV(INT4))

#define THISTLEBOT_SECOND_TIMER 5 /* of the lanes: 3 and 4 reach the header of the servos */
#define THISTLEBOT_SERVO_TIMERS(TIMER) TIMER(3) TIMER(4)
#define THISTLEBOT_SERVOS(SERVO) \
  SERVO(0, H, 3, 4, A) /* D6 */  \
  SERVO(1, E, 3, 3, A) /* D5 */

#define THISTLEBOT_OUTPUT_PINS(PIN)                       \
  PIN(0, H, 5) /* D8, MOSFET */                           \
  PIN(1, H, 6) /* D9, MOSFET */                           \
  PIN(2, B, 4) /* D10, MOSFET */                          \
  PIN(3, C, 0) /* D37, AUX-4: the beeper of a controller */

#define THISTLEBOT_SWITCH_PINS(PIN) \
  PIN(0, E, 5) /* D3, X_MIN */      \
  PIN(1, J, 1) /* D14, Y_MIN */     \
  PIN(2, J, 0) /* D15, Y_MAX */     \
  PIN(3, D, 3) /* D18, Z_MIN */     \
  PIN(4, D, 2) /* D19, Z_MAX */

#define THISTLEBOT_DRIVER_LINES(PIN) \
  PIN(0, K, 1) /* D63, AUX-2 */      \
  PIN(1, G, 1) /* D40, AUX-2 */
