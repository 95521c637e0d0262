"""PR opened → preview → judged → app gone, with the real pipeline, connector and offline judge over real HTTP."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from ragjudge import pipeline, wiring
from ragjudge.compare.policy import policy_from
from ragjudge.demo import packaged
from ragjudge.pipeline import Job
from ragjudge.preview.leased import leased
from ragjudge.results import codec
from ragjudge.settings import AppSettings, JudgeSettings, Settings
from ragjudge.suite.loading import load
from tests.fakes import FakeClock, FakeJournal, FakeProgress
from tests.preview_app import DATASET, console, dsl, person, preview

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def suite(tmp_path):
    questions = json.loads((packaged.APP.parent / "suite.json").read_text("utf-8"))[:3]
    (tmp_path / "suite.json").write_text(json.dumps(questions, ensure_ascii=False), encoding="utf-8")
    return load(("suite.json",), {}, tmp_path)


def test_the_pull_requests_dsl_is_judged_and_nothing_stays(suite, tmp_path):
    """Every answer names the workflow version that was verified; no key is in the record; app and key are gone."""
    with console() as server:
        inputs = {"Entity": "${entity}", "Category": "${category}"}
        own = Settings(
            app=AppSettings(base_url=f"{server.url}/v1", inputs=inputs),
            judge=JudgeSettings(provider="offline"),
        )

        async def story():
            async with leased(
                preview(dsl(dataset=DATASET)), own, person(), clock=FakeClock(), now=lambda: NOW
            ) as lease:
                running = own.model_copy(update={"app": lease.app})
                parts = wiring.parts(
                    running,
                    suite,
                    language="ja",
                    journal=FakeJournal(),
                    progress=FakeProgress(),
                    grading=wiring.grading(running, progress=FakeProgress(), out=tmp_path),
                )
                job = Job(running, suite, "run-1", "ja", 1, lambda: NOW)
                return lease, await pipeline.check(parts, job, None, policy_from(running))

        lease, checked = asyncio.run(story())
        answers = [sample.answer for case in checked.run.cases for sample in case.samples]
        assert {answer.workflow_id for answer in answers} == {lease.proof.workflow_id}
        assert all(answer.contexts for answer in answers)
        assert checked.run.app.name == lease.proof.app_name
        assert checked.decision.verdict == "no_baseline"
        assert (server.apps, server.living_keys) == ([], [])
        record = codec.dumps(checked.run).decode()
        assert len(server.tokens) == 1
        assert server.tokens[0] not in record
