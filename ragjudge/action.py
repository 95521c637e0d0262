"""The action's front door: INPUT_* and the event file become settings."""


def main() -> int:
    """Placeholder until the github helper commits the real one."""
    return 70
