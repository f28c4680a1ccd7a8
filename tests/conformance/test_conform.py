"""`charleston conform`: levels, the list of known failures, and every report."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from charleston.conformance.cases import SOURCE, load
from tests.clients.conftest import Ask
from tests.conformance.servers import crashing, serving, without

CASES = load()
JOKER = "joker.passed"
CORPUS = """
[[case]]
name = "small/one"
level = "required"
acts = ["EAST passes 1b 1b 1b"]
want = { verdict = "LEGAL" }

[[case]]
name = "small/two"
level = "recommended"
acts = ["EAST passes 1b 1b"]
want = { verdict = "LEGAL", may = ["EAST must look"] }
"""
WHY = ("verdict: wanted LEGAL, got ILLEGAL", "may: wanted EAST must look, got EAST must pass 3 to SOUTH")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Write a corpus of one case that holds and one that does not."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "small.toml").write_text(CORPUS)
    return folder


def known(tmp_path: Path, *cases: str, why: str = "not built yet") -> Path:
    """Write a list of cases known to fail."""
    path = tmp_path / "known.toml"
    path.write_text("".join(f'[[failing]]\ncase = "{case}"\nwhy = "{why}"\n' for case in cases))
    return path


def test_the_referee_inside_passes(ask: Ask) -> None:
    """Without an address the referee inside the command is asked, and passes everything."""
    assert (0, f"{len(CASES)} passed, 0 failed, 0 skipped\n", "") == ask("conform")


def test_a_server_passes(address: str, ask: Ask) -> None:
    """A referee at an address is asked through the protocol."""
    assert (0, f"{len(CASES)} passed, 0 failed, 0 skipped\n", "") == ask("conform", address)


def test_one_level(ask: Ask) -> None:
    """Cases of another level are skipped."""
    required = sum(case.level == "required" for case in CASES)

    assert f"{required} passed, 0 failed, {len(CASES) - required} skipped\n" == ask("conform", "--level", "required")[1]


def test_a_failure_is_told(corpus: Path, ask: Ask) -> None:
    """A case that fails is told with all that was wanted and what came; exit 1."""
    status, out, _ = ask("conform", "--corpus", corpus)
    told = "\n".join(f"        {sentence}" for sentence in WHY)

    assert 1 == status
    assert f"failed  small/two  (small.toml, recommended)\n{told}\n1 passed, 1 failed, 0 skipped\n" == out


def test_every_case_is_told_when_asked_for(corpus: Path, ask: Ask) -> None:
    """With --verbose a case that passed or was skipped is told too."""
    out = ask("conform", "--corpus", corpus, "--level", "required", "-v")[1]

    assert out.startswith("passed  small/one  (small.toml, required)\nskipped  small/two  ")


def test_a_known_failure_is_skipped(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """A case that is known to fail does not fail the run while it fails."""
    status, out, _ = ask("conform", "--corpus", corpus, "--known-failing", known(tmp_path, "small/two"))

    assert (0, "1 passed, 0 failed, 1 skipped\n") == (status, out)


def test_a_known_failure_that_passes_fails_the_run(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """A case that is known to fail and passes fails the run."""
    both = known(tmp_path, "small/one", "small/two")
    status, out, _ = ask("conform", "--corpus", corpus, "--known-failing", both)

    assert 1 == status
    assert "it passes, and is listed as known to fail" in out
    assert out.endswith("0 passed, 1 failed, 1 skipped\n")


def test_a_known_failure_of_another_level_is_skipped(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """A listed case that is not asked for at this level is neither here nor there."""
    told = ("conform", "--corpus", corpus, "--level", "recommended", "--known-failing")

    assert 0 == ask(*told, known(tmp_path, "small/one", "small/two"))[0]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('[[failing]]\ncase = "small/three"\nwhy = "x"\n', "there is no case small/three in the corpus"),
        ('[[failing]]\ncase = "small/two"\nwhy = " "\n', "small/two is listed without a reason"),
        ('[[failing]]\ncase = "small/two"\n', "each [[failing]] has a case and a why, and nothing else"),
        ('[[failing]]\ncase = "small/two"\nwhy = "x"\n' * 2, "small/two is listed twice"),
        ("failing = 3", "each [[failing]] has a case and a why, and nothing else"),
        ("failing", "this is no TOML"),
    ],
)
def test_a_list_that_cannot_be_used(written: str, said: str, corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """A list that names no case, no reason, or cannot be read is a wrong question: exit 2."""
    path = tmp_path / "known.toml"
    path.write_text(written)
    status, _, told = ask("conform", "--corpus", corpus, "--known-failing", path)

    assert 2 == status
    assert said in told


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "there is no file of cases"),
        ("[[case]]\n", "small.toml: case 1 has no name"),
        ("[[case]]\nname = 'a'\nlevel = 'must'\n", "small.toml: a: its level is none of required, recommended"),
        (CORPUS.replace("small/two", "small/one"), "2 cases are called small/one"),
        (CORPUS.replace("acts", "moves"), "small/one: there is no 'moves' in a case"),
        (CORPUS.replace("verdict", "judgement"), "small/one: there is nothing called 'judgement' to want"),
        (CORPUS.replace("verdict", 'error = "tiles", verdict'), "small/one: it wants nothing, or more than an error"),
        (CORPUS.replace("passes", "eats"), "small.toml: small/one: "),
        (CORPUS.replace("acts =", "stage = 'LUNCH'\nacts ="), "small/one: there is no seat or stage LUNCH"),
        (CORPUS.replace("acts =", "question = '{}'\nacts ="), "small/one: it has acts or a question, one of them"),
        ("case = 3", "small.toml: expected tables under [[case]]"),
        ("case", "small.toml: this is no TOML"),
    ],
)
def test_a_corpus_that_cannot_be_read(written: str, said: str, corpus: Path, ask: Ask) -> None:
    """A corpus that is not as it should be is a wrong question, and the sentence says where: exit 2."""
    (corpus / "small.toml").write_text(written)
    if not written:
        (corpus / "small.toml").unlink()
    status, _, told = ask("conform", "--corpus", corpus)

    assert 2 == status
    assert said in told


def test_a_question_that_is_no_message(corpus: Path, ask: Ask) -> None:
    """A question has to be a JudgeRequest, whatever is wrong with its values."""
    case = "[[case]]\nname = 'a'\nlevel = 'required'\nquestion = '{\"chair\": 1}'\nwant = { error = 'chair' }\n"
    (corpus / "small.toml").write_text(case)

    assert "small.toml: a: its question is no JudgeRequest" in ask("conform", "--corpus", corpus)[2]


def test_junit(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """JUnit has a suite for each file, and the failure with all its sentences."""
    ask("conform", "--corpus", corpus, "--junit", tmp_path / "junit.xml")
    whole = ElementTree.parse(tmp_path / "junit.xml").getroot()
    (suite,) = whole
    one, two = suite

    assert ("testsuites", "2", "1", "0") == (whole.tag, whole.get("tests"), whole.get("failures"), whole.get("skipped"))
    assert ("small", "small/one", []) == (one.get("classname"), one.get("name"), list(one))
    assert (WHY[0], "\n".join(WHY)) == (two[0].get("message"), two[0].text)


def test_junit_can_hold_what_a_server_says(tmp_path: Path, ask: Ask) -> None:
    """What XML cannot hold does not break the report."""
    with serving(crashing) as address:
        ask("conform", address, "--junit", tmp_path / "junit.xml")

    assert str(len(CASES)) == ElementTree.parse(tmp_path / "junit.xml").getroot().get("failures")


def test_json(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """JSON has the totals, and every case with what became of it and why."""
    status, out, err = ask("conform", "--corpus", corpus, "--json", "-")
    document = json.loads(out)
    one, two = document.pop("cases")

    assert {"passed": 1, "failed": 1, "skipped": 0} == document
    assert ("small/one", "small.toml", "required", "passed", []) == tuple(one.values())
    assert ("small/two", "small.toml", "recommended", "failed", list(WHY)) == tuple(two.values())
    assert (1, "1 passed, 1 failed, 0 skipped") == (status, err.splitlines()[-1])


def test_github(corpus: Path, ask: Ask) -> None:
    """A failure is an annotation on GitHub."""
    out = ask("conform", "--corpus", corpus, "--github")[1]

    assert f"::error title=small/two::{'; '.join(WHY)}" in out.splitlines()


def test_a_report_that_cannot_be_written(corpus: Path, tmp_path: Path, ask: Ask) -> None:
    """A report that cannot be written is said: exit 2."""
    status, _, told = ask("conform", "--corpus", corpus, "--junit", tmp_path / "no" / "junit.xml")

    assert 2 == status
    assert "No such file or directory" in told


def test_a_wrong_server_is_told_by_its_cases(ask: Ask) -> None:
    """The command finds a server that lets Jokers pass: exit 1, and the cases of that article."""
    with serving(without(JOKER)) as address:
        status, out, _ = ask("conform", address, "--level", "required")

    assert 1 == status
    assert "failed  joker/" in out


def test_the_corpus_of_this_tree_is_the_one_that_is_run() -> None:
    """In the source tree the corpus is the folder beside the tests."""
    assert sorted(path.name for path in SOURCE.glob("*.toml")) == sorted({case.file for case in CASES})
