"""The page Calibrate: colours, camera views, motors, and the colour profiles."""
