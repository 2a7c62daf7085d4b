/* Arduino Uno with a CNC Shield V3.00: four drivers, X Y Z A, on pins that the shield fixes. */
#define THISTLEBOT_BOARD_NAME "cnc-shield"
#define THISTLEBOT_BOARD_KIND CNC_SHIELD
#define THISTLEBOT_ARDUINO "arduino:avr:uno"
#define THISTLEBOT_LOADER "m328p arduino 115200"

#include "atmega328p.h"

#define THISTLEBOT_MOTORS 4
#define THISTLEBOT_STEP_PINS(PIN) \
  PIN(0, D, 2) /* D2, X */        \
  PIN(1, D, 3) /* D3, Y */        \
  PIN(2, D, 4) /* D4, Z */        \
  PIN(3, B, 4) /* D12, A: both jumpers D12 and D13 */

#define THISTLEBOT_DIR_PINS(PIN) \
  PIN(0, D, 5) /* D5 */          \
  PIN(1, D, 6) /* D6 */          \
  PIN(2, D, 7) /* D7 */          \
  PIN(3, B, 5) /* D13 */

#define THISTLEBOT_ENABLE_PINS(PIN) PIN(0, B, 0) /* D8, of all drivers */

#define THISTLEBOT_BUTTON_PIN C, 2 /* A2, "Resume" */
#define THISTLEBOT_STALL_PIN C, 1  /* A1, "Hold" */
/* No LED: D13 is the fourth driver's. */

#define THISTLEBOT_ESTOP_PIN C, 0 /* A0, "Abort" = PCINT8 */
#define THISTLEBOT_ESTOP_VECTOR PCINT1_vect
#define THISTLEBOT_ESTOP_BEGIN() \
  (PCMSK1 = _BV(PCINT8), PCIFR = _BV(PCIF1), PCICR |= _BV(PCIE1))

/* The pins of timer 0, which could cut pulses, are DIR of X and Y. */
#define THISTLEBOT_SERVOS(SERVO)

#define THISTLEBOT_OUTPUT_PINS(PIN) PIN(0, C, 3) /* A3, "CoolEn" */

#define THISTLEBOT_SWITCH_PINS(PIN) \
  PIN(0, B, 1) /* D9, X end stops */  \
  PIN(1, B, 2) /* D10, Y end stops */ \
  PIN(2, B, 3) /* D11, Z end stops */

#define THISTLEBOT_DRIVER_LINES(PIN) PIN(0, C, 5) /* A5, "SCL" */
