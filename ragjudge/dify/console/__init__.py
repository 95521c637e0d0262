"""HOW to administer a Dify: its console API, undocumented but the same in 1.9.2 and 1.14.2, which were recorded."""
