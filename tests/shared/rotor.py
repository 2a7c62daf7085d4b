"""A model of why steppers lose steps: the rotor follows the pulses with a delay.

    J θ'' = Th · min(1, ωc / |ω|) · sin(p (θcmd - θ)) - B θ' - Tf · sgn θ'

The pulses move θcmd; the rotor follows like a mass on a magnetic spring that becomes weak at speed.
If it lags by more than half a period, it falls into the next one and has lost four full steps. The
values are those of a NEMA 17 of the 17HS4401 class (0.40 N m, 54 g cm²) on the layer of a cube, at
24 V.
"""

import math
from collections.abc import Iterable

import numpy as np

from robot.virtual.cubes.course import FULL_STEPS_OF_A_SLIP, Course, MotorModel

TIME_STEP_S = 20e-6
"""Time step: a hundredth of the period of the fastest swing, of a few times 150 Hz."""
SETTLE_S = 0.3
_LOOK_S = 0.2e-3
"""Interval of samples while a rotor swings to rest: thirty samples a swing."""
_STANDSTILL_RAD_S = 0.05
_DAMPING = 0.08
"""Damping ratio of the free swing, which gives B."""


class Rotor:
    """The simulation of one rotor.

    Args:
        model: The motor and its load.
        microsteps: Pulses per full step.
    """

    def __init__(self, model: MotorModel, microsteps: int) -> None:
        self._periods = model.full_steps / FULL_STEPS_OF_A_SLIP
        self._pulse_rad = math.tau / (model.full_steps * microsteps)
        self._pulses_of_a_slip = FULL_STEPS_OF_A_SLIP * microsteps
        self._model = model
        self._inertia = model.rotor_kg_m2 + model.load_kg_m2
        swing = math.sqrt(self._periods * model.holding_nm / self._inertia)
        self._viscous = 2 * _DAMPING * self._inertia * swing
        self._command = 0
        self._angle = 0.0
        self._speed = 0.0
        self._now_s = 0.0
        self._resting = True

    def step(self, time_s: float, pulses: int) -> None:
        """Advance to a pulse, or to several at once; negative ones go back."""
        self.advance(time_s)
        self._command += pulses
        self._resting = False

    @property
    def slipped_pulses(self) -> int:
        """Commanded pulses that are lost; whole periods, backward ones negative."""
        lag = self._command * self._pulse_rad - self._angle
        return round(lag * self._periods / math.tau) * self._pulses_of_a_slip

    @property
    def angle_deg(self) -> float:
        """Position of the rotor in degrees of the motor, relative to the start."""
        return math.degrees(self._angle)

    @property
    def resting(self) -> bool:
        """Whether it is at rest until the next pulse."""
        return self._resting

    def settle(self) -> None:
        """Advance until the rotor is at rest."""
        self.advance(self._now_s + SETTLE_S)

    def advance(self, time_s: float) -> None:
        """Advance the time."""
        model = self._model
        periods, corner, holding = self._periods, model.corner_rad_s, model.holding_nm
        friction, viscous, inertia = model.friction_nm, self._viscous, self._inertia
        angle, speed = self._angle, self._speed
        target = self._command * self._pulse_rad
        while not self._resting and self._now_s < time_s:
            dt_s = min(TIME_STEP_S, time_s - self._now_s)
            torque = holding * math.sin(periods * (target - angle))
            if abs(speed) > corner:
                torque *= corner / abs(speed)
            torque -= viscous * speed
            if abs(speed) < _STANDSTILL_RAD_S and abs(torque) <= friction:
                speed = 0.0
                self._resting = True
                break
            dry = friction if speed > 0 or (speed == 0 and torque > 0) else -friction
            after = speed + (torque - dry) / inertia * dt_s
            # Dry friction stops a rotor, but never reverses it.
            stops = speed * after < 0 and abs(torque) <= friction
            speed = 0.0 if stops else after
            angle += speed * dt_s
            self._now_s += dt_s
        self._angle, self._speed = angle, speed
        self._now_s = max(self._now_s, time_s)


def trace(pulses: Iterable[tuple[float, int]], model: MotorModel, microsteps: int) -> Course:
    """Simulate a rotor from rest.

    Args:
        pulses: Time of each pulse, in order, from 0 on; 1 forward, -1 backward.
        model: The motor and its load.
        microsteps: Pulses per full step.
    """
    rotor = Rotor(model, microsteps)
    times, angles = [], []
    time_s = 0.0
    for time_s, way in pulses:
        rotor.step(time_s, way)
        times.append(time_s)
        angles.append(rotor.angle_deg)
    latest_s = time_s + SETTLE_S
    while not rotor.resting and time_s < latest_s:
        time_s += _LOOK_S
        rotor.advance(time_s)
        times.append(time_s)
        angles.append(rotor.angle_deg)
    course = Course(np.array(times), np.array(angles), rotor.slipped_pulses)
    course.times_s.flags.writeable = course.angles_deg.flags.writeable = False
    return course
