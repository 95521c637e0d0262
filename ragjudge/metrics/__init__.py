"""HOW to grade: one module per metric, their tasks for the judge, and the prompts."""
