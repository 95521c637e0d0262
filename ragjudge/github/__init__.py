"""TELL GitHub: context of the event, sticky comment, workflow commands, outputs, job summary."""
