/* Arduino Uno (ATmega328P): the functions of the pins. Plain C: the simulator reads it too. */
#ifndef THISTLEBOT_BOARD_NAME
#define THISTLEBOT_BOARD_NAME "uno"
#define THISTLEBOT_BOARD_KIND UNO
#define THISTLEBOT_ARDUINO "arduino:avr:uno"
#define THISTLEBOT_LOADER "m328p arduino 115200"
#endif

#include "atmega328p.h"

/* PIN(number, port, bit) for the motors U R F D L B; the Arduino's pin name beside it. */
#define THISTLEBOT_MOTORS 6
#define THISTLEBOT_STEP_PINS(PIN) \
  PIN(0, D, 4) /* D4 */           \
  PIN(1, D, 5) /* D5 */           \
  PIN(2, D, 6) /* D6 */           \
  PIN(3, D, 7) /* D7 */           \
  PIN(4, B, 0) /* D8 */           \
  PIN(5, B, 1) /* D9 */

#define THISTLEBOT_DIR_PINS(PIN) \
  PIN(0, B, 2) /* D10 */         \
  PIN(1, B, 3) /* D11 */         \
  PIN(2, B, 4) /* D12 */         \
  PIN(3, C, 0) /* A0 */          \
  PIN(4, C, 1) /* A1 */          \
  PIN(5, C, 2) /* A2 */

#define THISTLEBOT_ENABLE_PINS(PIN) PIN(0, C, 3) /* A3, of all drivers */

#define THISTLEBOT_BUTTON_PIN D, 3 /* D3 */
#define THISTLEBOT_STALL_PIN C, 4  /* A4, of all drivers together: six pins are not free */
#define THISTLEBOT_LED_PIN B, 5    /* D13, on the board */

/* The emergency stop, and the interrupt of its edges. */
#define THISTLEBOT_ESTOP_PIN D, 2 /* D2 = INT0 */
#define THISTLEBOT_ESTOP_VECTOR INT0_vect
#define THISTLEBOT_ESTOP_BEGIN() (EICRA |= _BV(ISC00), EIFR = _BV(INTF0), EIMSK |= _BV(INT0))

/* SERVO(number, port, bit, timer, compare unit). A servo takes the STEP pin of a motor that is then
 * missing; the motor's DIR pin becomes an output. */
#define THISTLEBOT_SERVO_TIMER_0 1 /* 8 bits: each pulse is counted in rounds of 128 us */
#define THISTLEBOT_SERVOS(SERVO) \
  SERVO(0, D, 5, 0, B) /* D5, instead of motor 1 */ \
  SERVO(1, D, 6, 0, A) /* D6, instead of motor 2 */

#define THISTLEBOT_OUTPUT_PINS(PIN) \
  PIN(0, B, 3) /* D11, instead of motor 1 */ \
  PIN(1, B, 4) /* D12, instead of motor 2 */

/* A switch closes to ground. */
#define THISTLEBOT_SWITCH_PINS(PIN) PIN(0, C, 5) /* A5 */

/* No line of UART drivers: that takes 1.3 KB of flash. If you have the drivers, write PIN(0, C, 5) here, and
 * use A5 for them instead of the switch: an idle line is high, like an open switch. */
#define THISTLEBOT_DRIVER_LINES(PIN)
