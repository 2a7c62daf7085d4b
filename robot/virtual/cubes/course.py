"""The movement of a stepper during one motion, or why it loses steps.

A motor follows its pulses if it has the torque for the load and the friction; a sudden start needs
more, because the rotor swings. Its torque falls with the speed. A motor with too little torque
stops before the middle. The values are those of a NEMA 17 of the 17HS4401 class (0.40 N m, 54 g
cm²) on the layer of a cube, at 24 V.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from robot.rigs.motor import Motor
from robot.rigs.trapezoid import Trapezoid

FULL_STEPS_OF_A_SLIP = 4
_SWING = 2.7
"""By how much the torque for the load exceeds that of a slow start."""
_LOST_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class MotorModel:
    """A motor with its load.

    Attributes:
        holding_nm: Holding torque, newton metres.
        corner_rad_s: Speed above which the torque falls; proportional to the voltage.
        rotor_kg_m2: Inertia of the rotor alone.
        load_kg_m2: Inertia of layer and coupler.
        friction_nm: Dry friction.
        full_steps: Full steps in a turn.
    """

    holding_nm: float = 0.40
    corner_rad_s: float = 77.0
    rotor_kg_m2: float = 54e-7
    load_kg_m2: float = 172e-7
    friction_nm: float = 0.06
    full_steps: int = 200

    def driving(self, motor: Motor, torque: float) -> "MotorModel":
        """Return the model of a motor of a rig that has a share of its torque left."""
        return replace(
            self,
            holding_nm=self.holding_nm * torque,
            load_kg_m2=self.load_kg_m2 / motor.gear**2,
            full_steps=motor.steps_per_turn,
        )

    def follows(self, motion: Trapezoid, microsteps: int) -> bool:
        """Return whether the motor keeps its steps in a motion from rest."""
        pulse_rad = math.tau / (self.full_steps * microsteps)
        acceleration = motion.acceleration_steps_s2 * pulse_rad
        inertia = self.rotor_kg_m2 + self.load_kg_m2
        needed_nm = _SWING * inertia * acceleration + self.friction_nm
        speed = motion.acceleration_steps_s2 * motion.ramp_s * pulse_rad
        return needed_nm <= self.holding_nm * min(1.0, self.corner_rad_s / speed)


DEFAULT_MODEL = MotorModel()


@dataclass(frozen=True, slots=True)
class Course:
    """The movement of a motor during one motion, from rest to rest.

    Attributes:
        times_s: The time of each pulse. Read-only.
        angles_deg: Its positions then, degrees of the motor, forward positive. Read-only.
        slipped_pulses: Pulses that it did not follow; a multiple of four full steps.
    """

    times_s: npt.NDArray[np.float64]
    angles_deg: npt.NDArray[np.float64]
    slipped_pulses: int


@lru_cache(maxsize=1024)
def course(motion: Trapezoid, model: MotorModel, microsteps: int) -> Course:
    """Return the movement of a motor during a forward motion.

    Args:
        motion: The pulses.
        model: The motor and its load.
        microsteps: Pulses per full step.
    """
    lost = 0
    if not model.follows(motion, microsteps):
        period = FULL_STEPS_OF_A_SLIP * microsteps
        lost = min(motion.steps, round(_LOST_SHARE * motion.steps / period) * period)
    made = np.minimum(np.arange(1, motion.steps + 1), motion.steps - lost)
    found = Course(
        np.array(motion.pulse_times_s()), made * 360 / (model.full_steps * microsteps), lost
    )
    found.times_s.flags.writeable = found.angles_deg.flags.writeable = False
    return found
