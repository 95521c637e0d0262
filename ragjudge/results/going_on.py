"""May a check go on from these results? Only with the same cases, the same app and the same judge."""

from ragjudge.errors import UsageFault
from ragjudge.language import Text
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.run import AppIdentity, RunResult
from ragjudge.suite.case import Case, Suite
from ragjudge.suite.natural import by_id

MOST_NAMED = 10


def refuse_another_suite(run: RunResult, suite: Suite) -> None:
    """Raises UsageFault where a case of the suite is neither in the results nor left out there, or is another one."""
    then = {result.case.id: _asked(result.case) for result in run.cases}
    now = {case.id: _asked(case) for case in suite.cases if case.id not in run.left_out}
    differing = by_id(
        case_id for case_id in then.keys() | now.keys() if then.get(case_id) != now.get(case_id)
    )
    if differing:
        more = f" … (+{len(differing) - MOST_NAMED})" if len(differing) > MOST_NAMED else ""
        named = ", ".join(differing[:MOST_NAMED]) + more
        raise _fault(
            f"cases that differ from the suite: {named}", f"スイートと異なるケースがあります: {named}"
        )


def refuse_another_app_or_judge(run: RunResult, *, app: AppIdentity, fingerprint: Fingerprint) -> None:
    """Raises UsageFault where fresh answers or scores would not be of the same kind as those of the results."""
    differing = [
        Text(f"{name} ({then} → {now})", f"{ja}({then} → {now})")
        for name, ja, then, now in (
            ("app", "アプリ", _app(run.app), _app(app)),
            ("judge", "評価者", _judge(run.fingerprint), _judge(fingerprint)),
        )
        if then != now
    ]
    if not differing and run.fingerprint != fingerprint:
        differing = [Text("metrics or prompts", "指標・プロンプト")]
    if differing:
        raise _fault(
            f"differing: {', '.join(text.en for text in differing)}",
            f"異なるもの: {'、'.join(text.ja for text in differing)}",
        )


def _asked(case: Case) -> tuple[str, str, str | None]:
    return case.question_digest, case.reference_digest, case.skip


def _app(app: AppIdentity) -> str:
    return f"{app.name}, {app.base_url}"


def _judge(fingerprint: Fingerprint) -> str:
    judge = fingerprint.judge
    parameters = "".join(f", {name}={value}" for name, value in sorted(judge.parameters.items()))
    return f"{judge.provider} {judge.model}{parameters}"


def _fault(en: str, ja: str) -> UsageFault:
    return UsageFault(
        Text(
            f"The check cannot go on from these results: {en}.",
            f"この結果からチェックを続けられません。{ja}。",
        ),
        hint=Text(
            "Go on with the suite, settings and judge of the run that made them, or check anew without --from.",
            "結果を作成した実行と同じスイート・設定・評価者で実行するか、--from なしで `ragjudge check` を"
            "実行してください。",
        ),
    )
