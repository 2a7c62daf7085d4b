// The interrupts of the lanes. Plain steps are made in assembler, everything else in Motion.
//
// A plain step of the C++ in core/ takes 380 cycles, mostly for saving registers; this one takes 145,
// so that both lanes run at 40 000 steps a second beside a saturated serial line. It must do exactly
// what Motion::on_timer and Lane::next_interval do: tests/firmware compares their steps cycle by cycle.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "../core/board.h"
#include "pins.h"
#include "step_timer.h"

// An event nearer than this might be past before the compare register is written. `adiw` takes 63 at
// most; 17 cycles pass between reading the timer and writing the register.
#define THISTLEBOT_MARGIN 32

static_assert(thistlebot::Lane::SLOW == 1 << 0, "bit 0 is tested below");
static_assert(thistlebot::Lane::FLAT == 1 << 1, "bit 1 is tested below");
static_assert(thistlebot::Lane::DOWN == 1 << 2, "bit 2 is tested below");

#define THISTLEBOT_LANE_INTERRUPT(lane, compare, counter, slow_handler, stage_handler)           \
  asm volatile(                                                                                  \
      "push r24                 \n\t"                                                            \
      "in   r24, __SREG__       \n\t"                                                            \
      "push r24                 \n\t"                                                            \
      "push r25                 \n\t"                                                            \
      "lds  r24, %[flags]       \n\t"                                                            \
      "sbrc r24, 0              \n\t" /* SLOW */                                                 \
      "rjmp 3f                  \n\t"                                                            \
      "push r30                 \n\t"                                                            \
      "push r31                 \n\t"                                                            \
      "lds  r30, %[toggle]      \n\t" /* the pulse begins */                                     \
      "lds  r31, %[toggle]+1    \n\t"                                                            \
      "lds  r25, %[mask]        \n\t"                                                            \
      "st   Z, r25              \n\t"                                                            \
      "lds  r25, %[count]       \n\t"                                                            \
      "subi r25, 1              \n\t"                                                            \
      "brcc .+2                 \n\t"                                                            \
      "rjmp 4f                  \n\t"                                                            \
      "6:                       \n\t"                                                            \
      "sts  %[count], r25       \n\t"                                                            \
      "push r18                 \n\t"                                                            \
      "push r19                 \n\t"                                                            \
      "push r20                 \n\t"                                                            \
      "push r0                  \n\t"                                                            \
      "push r1                  \n\t"                                                            \
      "lds  r30, %[entry]       \n\t" /* share = r19:r18 */                                      \
      "lds  r31, %[entry]+1     \n\t"                                                            \
      "lpm  r18, Z+             \n\t"                                                            \
      "lpm  r19, Z              \n\t"                                                            \
      "sbrc r24, 1              \n\t" /* FLAT */                                                 \
      "rjmp 1f                  \n\t"                                                            \
      "adiw r30, 1              \n\t" /* next entry, or with DOWN the one before */              \
      "sbrc r24, 2              \n\t"                                                            \
      "sbiw r30, 4              \n\t"                                                            \
      "sts  %[entry], r30       \n\t"                                                            \
      "sts  %[entry]+1, r31     \n\t"                                                            \
      "1:                       \n\t" /* interval r25:r24, its fraction r18 */                   \
      "lds  r20, %[scale]+1     \n\t"                                                            \
      "mul  r19, r20            \n\t"                                                            \
      "movw r24, r0             \n\t"                                                            \
      "mul  r18, r20            \n\t"                                                            \
      "lds  r18, %[fraction]    \n\t"                                                            \
      "add  r18, r0             \n\t"                                                            \
      "adc  r24, r1             \n\t"                                                            \
      "brcc .+2                 \n\t"                                                            \
      "inc  r25                 \n\t"                                                            \
      "lds  r20, %[scale]       \n\t"                                                            \
      "mul  r19, r20            \n\t"                                                            \
      "add  r18, r0             \n\t"                                                            \
      "adc  r24, r1             \n\t"                                                            \
      "brcc .+2                 \n\t"                                                            \
      "inc  r25                 \n\t"                                                            \
      "sts  %[fraction], r18    \n\t"                                                            \
      "lds  r18, %[ocr]         \n\t"                                                            \
      "lds  r19, %[ocr]+1       \n\t"                                                            \
      "lds  r30, %[tcnt]        \n\t" /* late when passed + margin >= interval, unsigned */      \
      "lds  r31, %[tcnt]+1      \n\t"                                                            \
      "sub  r30, r18            \n\t"                                                            \
      "sbc  r31, r19            \n\t"                                                            \
      "adiw r30, %[margin]      \n\t"                                                            \
      "cp   r30, r24            \n\t"                                                            \
      "cpc  r31, r25            \n\t"                                                            \
      "brlo .+2                 \n\t"                                                            \
      "rjmp 5f                  \n\t"                                                            \
      "add  r18, r24            \n\t"                                                            \
      "adc  r19, r25            \n\t"                                                            \
      "2:                       \n\t"                                                            \
      "sts  %[ocr]+1, r19       \n\t"                                                            \
      "sts  %[ocr], r18         \n\t"                                                            \
      "lds  r30, %[toggle]      \n\t" /* the pulse ends */                                       \
      "lds  r31, %[toggle]+1    \n\t"                                                            \
      "lds  r24, %[mask]        \n\t"                                                            \
      "st   Z, r24              \n\t"                                                            \
      "pop  r1                  \n\t"                                                            \
      "pop  r0                  \n\t"                                                            \
      "pop  r20                 \n\t"                                                            \
      "pop  r19                 \n\t"                                                            \
      "pop  r18                 \n\t"                                                            \
      "pop  r31                 \n\t"                                                            \
      "pop  r30                 \n\t"                                                            \
      "pop  r25                 \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "out  __SREG__, r24       \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "reti                     \n\t"                                                            \
      "3:                       \n\t"                                                            \
      "pop  r25                 \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "out  __SREG__, r24       \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "jmp  " slow_handler "    \n\t"                                                            \
      "4:                       \n\t" /* the low byte is used up */                              \
      "lds  r25, %[count_high]  \n\t"                                                            \
      "subi r25, 1              \n\t"                                                            \
      "brcs 7f                  \n\t" /* and the high byte: no interval left in this stage */     \
      "sts  %[count_high], r25  \n\t"                                                            \
      "ldi  r25, 0xFF           \n\t"                                                            \
      "rjmp 6b                  \n\t"                                                            \
      "7:                       \n\t"                                                            \
      "pop  r31                 \n\t"                                                            \
      "pop  r30                 \n\t"                                                            \
      "pop  r25                 \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "out  __SREG__, r24       \n\t"                                                            \
      "pop  r24                 \n\t"                                                            \
      "jmp  " stage_handler "   \n\t"                                                            \
      "5:                       \n\t" /* late: the event comes as soon as it safely can */       \
      "lds  r18, %[tcnt]        \n\t"                                                            \
      "lds  r19, %[tcnt]+1      \n\t"                                                            \
      "subi r18, lo8(-(%[margin])) \n\t"                                                         \
      "sbci r19, hi8(-(%[margin])) \n\t"                                                         \
      "rjmp 2b                  \n\t" ::[flags] "i"(&thistlebot::lanes[lane].flags),             \
      [toggle] "i"(&thistlebot::lanes[lane].pin.toggle),                                         \
      [mask] "i"(&thistlebot::lanes[lane].pin.mask),                                             \
      [count] "i"(&thistlebot::lanes[lane].count),                                               \
      [count_high] "i"(&thistlebot::lanes[lane].count_high), [entry] "i"(&thistlebot::lanes[lane].entry),  \
      [scale] "i"(&thistlebot::lanes[lane].scale),                                               \
      [fraction] "i"(&thistlebot::lanes[lane].fraction), [ocr] "i"(_SFR_MEM_ADDR(compare)),      \
      [tcnt] "i"(_SFR_MEM_ADDR(counter)), [margin] "i"(THISTLEBOT_MARGIN))

ISR(TIMER1_COMPA_vect, ISR_NAKED) {
  THISTLEBOT_LANE_INTERRUPT(0, OCR1A, TCNT1, "__vector_lane_0_slow", "__vector_lane_0_stage");
}

ISR(TIMER1_COMPB_vect, ISR_NAKED) {
  THISTLEBOT_LANE_INTERRUPT(1, OCR1B, TCNT1, "__vector_lane_1_slow", "__vector_lane_1_stage");
}

#if THISTLEBOT_LANES == 4
ISR(THISTLEBOT_SECOND_VECTOR(A), ISR_NAKED) {
  THISTLEBOT_LANE_INTERRUPT(2, THISTLEBOT_SECOND(OCR, A), THISTLEBOT_SECOND(TCNT, ),
                            "__vector_lane_2_slow", "__vector_lane_2_stage");
}

ISR(THISTLEBOT_SECOND_VECTOR(B), ISR_NAKED) {
  THISTLEBOT_LANE_INTERRUPT(3, THISTLEBOT_SECOND(OCR, B), THISTLEBOT_SECOND(TCNT, ),
                            "__vector_lane_3_slow", "__vector_lane_3_stage");
}
#endif

// Interrupts that only those above jump to; the compiler wants their names to begin like this.
ISR(__vector_lane_0_slow, ISR_NOBLOCK) { thistlebot::board.on_timer(0); }
ISR(__vector_lane_1_slow, ISR_NOBLOCK) { thistlebot::board.on_timer(1); }
ISR(__vector_lane_0_stage, ISR_NOBLOCK) { thistlebot::board.on_stage_end(0); }
ISR(__vector_lane_1_stage, ISR_NOBLOCK) { thistlebot::board.on_stage_end(1); }
#if THISTLEBOT_LANES == 4
ISR(__vector_lane_2_slow, ISR_NOBLOCK) { thistlebot::board.on_timer(2); }
ISR(__vector_lane_3_slow, ISR_NOBLOCK) { thistlebot::board.on_timer(3); }
ISR(__vector_lane_2_stage, ISR_NOBLOCK) { thistlebot::board.on_stage_end(2); }
ISR(__vector_lane_3_stage, ISR_NOBLOCK) { thistlebot::board.on_stage_end(3); }
#endif
