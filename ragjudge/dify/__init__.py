"""HOW to ask the app: Dify's service API, its event stream, and what an answer is made of."""
