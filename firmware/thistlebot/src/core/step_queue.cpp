#include "step_queue.h"

namespace thistlebot {

using protocol::Action;
using protocol::ActionKind;
using protocol::Begin;

namespace {

// Walks along the ring; the bytes are as many as an index can tell apart.
struct Pen {
  uint8_t* bytes;
  uint8_t index;

  void put(uint8_t byte) { bytes[index++] = byte; }
  void put_u16(uint16_t value) {
    put(static_cast<uint8_t>(value));
    put(static_cast<uint8_t>(value >> 8));
  }
};

struct Eye {
  const uint8_t* bytes;
  uint8_t index;

  uint8_t take() { return bytes[index++]; }
  uint16_t take_u16() {
    const uint8_t low = take();
    return static_cast<uint16_t>(static_cast<uint16_t>(take()) << 8 | low);
  }
};

}  // namespace

bool ActionStep::is_plain() const {
  if (count > protocol::MOTORS_TOGETHER) return false;
  for (uint8_t i = 0; i < count; ++i) {
    if (actions[i].kind != static_cast<uint8_t>(ActionKind::TURN)) return false;
  }
  return true;
}

void StepQueue::put(const ActionStep& step) {
  Pen pen{bytes_, static_cast<uint8_t>(first_ + PLACE * used_)};
  used_ = static_cast<uint8_t>(used_ + step.places());
  const Action* action = step.actions;
  if (step.is_plain()) {
    const bool single = step.count == 1;
    pen.put(PackedTurn::pack(action->channel, static_cast<int8_t>(action->value)));
    ++action;
    pen.put(single ? PackedTurn::EMPTY
                   : PackedTurn::pack(action->channel, static_cast<int8_t>(action->value)));
    pen.put_u16(single || LANES == 4 ? step.begin_value : 0);  // two take both lanes of an Uno
    return;
  }
  pen.put(MARK | step.count);
  for (uint8_t left = step.count; left > 0; --left, ++action) {
    pen.put(static_cast<uint8_t>(action->kind << 4 | action->channel));
    pen.put_u16(static_cast<uint16_t>(action->value));
    pen.put(action->speed);
    pen.put(action->detail);
  }
}

PackedTurn StepQueue::take_turns() {
  Eye eye{bytes_, first_};
  PackedTurn turn;
  turn.a = eye.take();
  turn.b = eye.take();
  turn.overlap = eye.take_u16();
  skip(1);
  return turn;
}

void StepQueue::peek(ActionStep& step) const {
  Eye eye{bytes_, first_};
  step.count = eye.take() & static_cast<uint8_t>(~MARK);
  step.begin = Begin::AFTER_END;
  step.begin_value = 0;
  Action* action = step.actions;
  for (uint8_t left = step.count; left > 0; --left, ++action) {
    const uint8_t what = eye.take();
    action->kind = what >> 4;
    action->channel = what & 0x0F;
    action->value = static_cast<int16_t>(eye.take_u16());
    action->speed = eye.take();
    action->detail = eye.take();
  }
}

}  // namespace thistlebot
