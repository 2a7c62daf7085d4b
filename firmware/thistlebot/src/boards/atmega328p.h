/* The chip of an Uno or a Nano: the common part of all its boards. */
#define THISTLEBOT_CHIP "atmega328p"
#define THISTLEBOT_CLOCK_HZ 16000000
#define THISTLEBOT_LANES 2 /* timer 1, compare units A and B */
#define THISTLEBOT_RECEIVE_VECTOR USART_RX_vect
#define THISTLEBOT_TRANSMIT_VECTOR USART_UDRE_vect
