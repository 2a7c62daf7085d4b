/* The chip of a Mega: the common part of all its boards. */
#define THISTLEBOT_CHIP "atmega2560"
#define THISTLEBOT_CLOCK_HZ 16000000
#define THISTLEBOT_LANES 4 /* timer 1 and THISTLEBOT_SECOND_TIMER, compare units A and B of each */
#define THISTLEBOT_RECEIVE_VECTOR USART0_RX_vect
#define THISTLEBOT_TRANSMIT_VECTOR USART0_UDRE_vect
