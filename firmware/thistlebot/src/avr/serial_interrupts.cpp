// The interrupts of the serial port, in assembler: with both lanes at 40 000 steps a second and a
// saturated line there are 60 cycles left for a byte received, and a step must not wait for longer.
//
// The receive interrupt keeps steps out until its byte is in the ring, for 45 cycles or 60. It must not
// let them in before: where stages of both lanes end at once they take longer than the two bytes that
// the chip keeps, and the next byte waits until this one is done. tests/firmware floods it. It does what
// OutOfBand::feed and ByteRing::put do.
#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/board.h"
#include "../core/out_of_band.h"
#include "pins.h"
#include "serial_rings.h"
#include "step_timer.h"

namespace thistlebot {

OutOfBand out_of_band;

namespace {

volatile uint8_t found;  // by the receive interrupt: an OutOfBand constant

}  // namespace

}  // namespace thistlebot

ISR(THISTLEBOT_RECEIVE_VECTOR, ISR_NAKED) {
  asm volatile(
      "push r24                 \n\t"
      "in   r24, __SREG__       \n\t"
      "push r24                 \n\t"
      "lds  r24, %[data]        \n\t" /* the byte; takes the request back */
      "clt                      \n\t"
      "push r25                 \n\t"
      "push r30                 \n\t"
      "push r31                 \n\t"
      "lds  r25, %[state]       \n\t"
      "tst  r24                 \n\t"
      "breq 3f                  \n\t"
      "tst  r25                 \n\t"
      "breq 2f                  \n\t" /* LOST */
      "mov  r30, r25            \n\t"
      "ldi  r31, 0              \n\t"
      "subi r30, lo8(-(%[expected])) \n\t"
      "sbci r31, hi8(-(%[expected])) \n\t"
      "ld   r31, Z              \n\t"
      "inc  r25                 \n\t"
      "cp   r24, r31            \n\t"
      "breq 1f                  \n\t"
      "cpi  r25, %[fork] + 1    \n\t"
      "ldi  r25, %[after_fork]  \n\t"
      "brne 5f                  \n\t"
      "cpi  r24, %[fork_byte]   \n\t"
      "breq 1f                  \n\t"
      "5:                       \n\t"
      "ldi  r25, 0              \n\t"
      "1:                       \n\t"
      "sts  %[state], r25       \n\t"
      "2:                       \n\t" /* into the ring; a byte too many is lost, and sent again */
      "lds  r25, %[head]        \n\t"
      "mov  r30, r25            \n\t"
      "ldi  r31, 0              \n\t"
      "subi r30, lo8(-(%[bytes])) \n\t"
      "sbci r31, hi8(-(%[bytes])) \n\t"
      "inc  r25                 \n\t"
      "andi r25, %[mask]        \n\t"
      "st   Z, r24              \n\t" /* the place at head is always free */
      "lds  r24, %[tail]        \n\t"
      "cpse r25, r24            \n\t"
      "sts  %[head], r25        \n\t"
      "sei                      \n\t" /* from here on all may come between, the next byte, too */
      "pop  r31                 \n\t"
      "pop  r30                 \n\t"
      "brts 7f                  \n\t"
      "pop  r25                 \n\t"
      "pop  r24                 \n\t"
      "out  __SREG__, r24       \n\t"
      "pop  r24                 \n\t"
      "reti                     \n\t"
      "3:                       \n\t" /* a delimiter */
      "ldi  r30, %[first]       \n\t"
      "sts  %[state], r30       \n\t"
      "ldi  r30, %[is_abort]    \n\t"
      "cpi  r25, %[abort_end]   \n\t"
      "breq 4f                  \n\t"
      "ldi  r30, %[is_status]   \n\t"
      "cpi  r25, %[status_end]  \n\t"
      "brne 2b                  \n\t"
      "4:                       \n\t"
      "sts  %[found], r30       \n\t"
      "set                      \n\t"
      "rjmp 2b                  \n\t"
      "7:                       \n\t"
      "pop  r25                 \n\t"
      "pop  r24                 \n\t"
      "out  __SREG__, r24       \n\t" /* as it was in an interrupt's first instruction */
      "pop  r24                 \n\t"
      "jmp  __vector_out_of_band \n\t" ::[data] "i"(_SFR_MEM_ADDR(UDR0)), [state] "i"(&thistlebot::out_of_band.state),
      [expected] "i"(thistlebot::EXPECTED), [fork] "i"(thistlebot::OutOfBand::FORK),
      [after_fork] "i"(thistlebot::OutOfBand::AFTER_FORK),
      [fork_byte] "i"(thistlebot::OutOfBand::FORK_BYTE),
      [first] "i"(thistlebot::OutOfBand::FIRST),
      [abort_end] "i"(thistlebot::OutOfBand::ABORT_END),
      [status_end] "i"(thistlebot::OutOfBand::STATUS_END),
      [is_abort] "i"(thistlebot::OutOfBand::ABORT),
      [is_status] "i"(thistlebot::OutOfBand::STATUS_REQUEST), [found] "i"(&thistlebot::found),
      [head] "i"(&thistlebot::received.head), [tail] "i"(&thistlebot::received.tail),
      [bytes] "i"(thistlebot::received.bytes), [mask] "i"(thistlebot::ReceiveRing::MASK));
}

// An interrupt that only the one above jumps to; the compiler wants its name to begin like this. Bytes
// are received meanwhile; another such frame takes much longer.
ISR(__vector_out_of_band, ISR_NOBLOCK) { thistlebot::board.on_out_of_band(thistlebot::found); }

// Short enough to be left in one piece. A ring that is empty ends the request.
ISR(THISTLEBOT_TRANSMIT_VECTOR, ISR_NAKED) {
  asm volatile(
      "push r24                 \n\t"
      "in   r24, __SREG__       \n\t"
      "push r24                 \n\t"
      "push r30                 \n\t"
      "push r31                 \n\t"
      "lds  r24, %[tail]        \n\t"
      "lds  r30, %[head]        \n\t"
      "cp   r24, r30            \n\t"
      "breq 1f                  \n\t"
      "mov  r30, r24            \n\t"
      "ldi  r31, 0              \n\t"
      "subi r30, lo8(-(%[bytes])) \n\t"
      "sbci r31, hi8(-(%[bytes])) \n\t"
      "ld   r30, Z              \n\t"
      "sts  %[data], r30        \n\t"
      "inc  r24                 \n\t"
      "andi r24, %[mask]        \n\t"
      "sts  %[tail], r24        \n\t"
      "rjmp 2f                  \n\t"
      "1:                       \n\t"
      "lds  r24, %[control]     \n\t"
      "andi r24, %[disable]     \n\t"
      "sts  %[control], r24     \n\t"
      "2:                       \n\t"
      "pop  r31                 \n\t"
      "pop  r30                 \n\t"
      "pop  r24                 \n\t"
      "out  __SREG__, r24       \n\t"
      "pop  r24                 \n\t"
      "reti                     \n\t" ::[control] "i"(_SFR_MEM_ADDR(UCSR0B)),
      [disable] "i"(0xFF & ~_BV(UDRIE0)), [data] "i"(_SFR_MEM_ADDR(UDR0)),
      [head] "i"(&thistlebot::transmitting.head), [tail] "i"(&thistlebot::transmitting.tail),
      [bytes] "i"(thistlebot::transmitting.bytes), [mask] "i"(thistlebot::TransmitRing::MASK));
}
