"""What a run says about, where that is not simply the whole suite."""

from ragjudge.language import Text
from ragjudge.results.run import RunResult


def part_of_suite(run: RunResult) -> tuple[Text, ...]:
    """A run of chosen cases must not look like the whole suite's."""
    if not run.left_out:
        return ()
    asked = len(run.cases)
    whole = asked + len(run.left_out)
    return (
        Text(
            f"Only {asked} of the suite's {whole} cases were asked; the others say nothing here.",
            f"テストケース{whole}件のうち、選択した{asked}件だけを実行した結果です。",
        ),
    )
