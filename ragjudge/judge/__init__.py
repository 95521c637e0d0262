"""WHO grades: a model behind an OpenAI-compatible server, a Dify app, or plain words (offline)."""
