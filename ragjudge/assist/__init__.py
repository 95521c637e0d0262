"""What helps a person around the main job: validate, doctor, init, import, calibrate."""
