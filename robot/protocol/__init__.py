"""The packets between host and board: one table of messages, framing, and the generated header.

The board's half of the table is `firmware/thistlebot/src/core/messages.h`, generated from
`robot.protocol.messages` by `python -m robot.protocol.codegen`; docs/protocol.md explains both.
"""
