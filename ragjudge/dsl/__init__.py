"""WHAT changed in the app: Dify's DSL exports, read, compared and checked. Pure."""
