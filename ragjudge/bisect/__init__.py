"""Where a pull request changes several things in its app and cases got worse: which change breaks which case?

Each change is applied alone to the base's DSL, leased as a preview app, and asked the regressed cases. THE STORY is
`attributing.attribute`. Nothing in here can change a verdict, and nothing enters a baseline.
"""
