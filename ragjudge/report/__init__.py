"""SAY IT: one view model, rendered to Markdown, console and more; wording per language. Pure."""
