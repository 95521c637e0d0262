"""IS IT WORSE? Pure functions over two runs: pair, measure, suspect, confirm, decide."""
