"""The page Calibrate: colours, camera views, motors, and a profile for each venue."""
