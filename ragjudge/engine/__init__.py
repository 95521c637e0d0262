"""RUN them all: ask the questions, score the answers, within limits, deadlines and budgets."""
