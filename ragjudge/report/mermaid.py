"""A trend as GitHub draws it: Mermaid's xychart, made of our own numbers and dates and of nothing else.

https://mermaid.js.org/syntax/xyChart.html
"""

from ragjudge.report.blocks import Chart


def source(chart: Chart) -> str:
    """The chart's text for a `mermaid` fence. Raises ValueError for a label that could be more than a label."""
    labels = [_label(label) for label, _ in chart.points]
    values = [f"{value:.3f}" for _, value in chart.points]
    return (
        "xychart-beta\n"
        f"    x-axis [{', '.join(labels)}]\n"
        f"    y-axis {chart.low:.2f} --> {chart.high:.2f}\n"
        f"    line [{', '.join(values)}]\n"
    )


def _label(text: str) -> str:
    if not text.replace("-", "").replace(":", "").replace(" ", "").isalnum():
        raise ValueError(f"{text!r} is no label of an axis")
    return f'"{text}"'
