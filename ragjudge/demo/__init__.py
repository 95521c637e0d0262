"""TRY IT offline: a real RAG app behind Dify's service API on loopback, a small corpus, a suite."""
