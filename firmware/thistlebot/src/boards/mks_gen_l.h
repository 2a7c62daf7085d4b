/* MKS GEN L V1.0, a printer's board with an ATmega2560: X Y Z E0 E1. It follows RAMPS. */
#define THISTLEBOT_BOARD_NAME "mks-gen-l"
#define THISTLEBOT_BOARD_KIND MKS_GEN_L
#define THISTLEBOT_ARDUINO "arduino:avr:mega"
#define THISTLEBOT_LOADER "m2560 wiring 115200"

#include "atmega2560.h"

#define THISTLEBOT_MOTORS 5
#define THISTLEBOT_STEP_PINS(PIN) \
  PIN(0, F, 0) /* D54, X */       \
  PIN(1, F, 6) /* D60, Y */       \
  PIN(2, L, 3) /* D46, Z */       \
  PIN(3, A, 4) /* D26, E0 */      \
  PIN(4, C, 1) /* D36, E1 */

#define THISTLEBOT_DIR_PINS(PIN) \
  PIN(0, F, 1) /* D55 */         \
  PIN(1, F, 7) /* D61 */         \
  PIN(2, L, 1) /* D48 */         \
  PIN(3, A, 6) /* D28 */         \
  PIN(4, C, 3) /* D34 */

#define THISTLEBOT_ENABLE_PINS(PIN) \
  PIN(0, D, 7) /* D38 */            \
  PIN(1, F, 2) /* D56 */            \
  PIN(2, K, 0) /* D62 */            \
  PIN(3, A, 2) /* D24 */            \
  PIN(4, C, 7) /* D30 */

#define THISTLEBOT_BUTTON_PIN C, 2 /* D35, EXP1: the push button of a controller with display */
#define THISTLEBOT_STALL_PIN L, 0  /* D49, EXP2 */
#define THISTLEBOT_LED_PIN B, 7    /* D13 */

#define THISTLEBOT_ESTOP_PIN E, 4 /* D2, X+ = INT4 */
#define THISTLEBOT_ESTOP_VECTOR INT4_vect
#define THISTLEBOT_ESTOP_BEGIN() (EICRB |= _BV(ISC40), EIFR = _BV(INTF4), EIMSK |= _BV(INT4))

#define THISTLEBOT_SECOND_TIMER 5 /* of the lanes: 3 and 4 reach the header of the servos */
#define THISTLEBOT_SERVO_TIMERS(TIMER) TIMER(3) TIMER(4)
#define THISTLEBOT_SERVOS(SERVO) \
  SERVO(0, H, 3, 4, A) /* D6 */  \
  SERVO(1, E, 3, 3, A) /* D5 */

#define THISTLEBOT_OUTPUT_PINS(PIN) \
  PIN(0, H, 5) /* D8, bed */        \
  PIN(1, H, 6) /* D9, fan */        \
  PIN(2, B, 4) /* D10, HE0 */       \
  PIN(3, H, 4) /* D7, HE1 */        \
  PIN(4, C, 0) /* D37, EXP1: the beeper of a controller */

#define THISTLEBOT_SWITCH_PINS(PIN) \
  PIN(0, E, 5) /* D3, X- */         \
  PIN(1, J, 1) /* D14, Y- */        \
  PIN(2, J, 0) /* D15, Y+ */        \
  PIN(3, D, 3) /* D18, Z- */        \
  PIN(4, D, 2) /* D19, Z+ */

#define THISTLEBOT_DRIVER_LINES(PIN) \
  PIN(0, C, 6) /* D31, EXP2 */       \
  PIN(1, C, 4) /* D33, EXP2 */
