"""The pull request's own DSL as a leased app: push, publish, verify, remove."""
