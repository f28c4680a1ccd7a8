"""The reports of a check, read by what reads them: junitparser, a JSON schema, and whoever knows SARIF's structure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from charleston.commands.checking.github import data_of, property_of
from charleston.commands.checking.junit import printable
from tests.clients.checking.samples import CLAIMS, JOKER, LAWFUL, ROOT, replay, transition
from tests.clients.conftest import Ask

SCHEMA = ROOT / "clients" / "python" / "check.schema.json"
KNOWN = """[[fault]]
file = "b 100%.charleston"
line = 12
rules = ["look.before"]
why = "Known for long."

[[fault]]
file = "a.charleston"
line = 7
rules = ["pass.three"]
why = "Long gone."
"""


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Ask) -> Path:
    """Check games of every kind, one of them with a known fault, with every report at once; give the folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    files = {
        "a.charleston": LAWFUL,
        "b 100%.charleston": JOKER,
        "c.charleston": CLAIMS,
        "d.jsonl": "\n".join([replay(LAWFUL), transition("FIRST_ACROSS"), replay(JOKER)]),
        "e.charleston": "EAST flies",
        "known.toml": KNOWN,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    status, out, err = ask(
        *("check", ".", "--expected", "known.toml", "--github"),
        *("--junit", "o.xml", "--sarif", "o.sarif", "--json", "o.jsonl"),
    )
    (tmp_path / "out").write_text(out)

    assert (2, "") == (status, err)
    return tmp_path


def test_junitparser_reads_a_suite_for_each_file_and_a_case_for_each_item(reports: Path) -> None:
    """Faults are failures, what cannot be judged is an error, what no longer fails is a failure; the numbers agree."""
    read = JUnitXml.fromfile(str(reports / "o.xml"))
    suites = {suite.name: list(suite) for suite in read}
    results = {name: [[type(result) for result in case.result] for case in cases] for name, cases in suites.items()}

    assert {
        "a.charleston": [[]],
        "b 100%.charleston": [[Failure]],
        "c.charleston": [[Failure]],
        "d.jsonl": [[], [Failure], [Failure]],
        "e.charleston": [[Error]],
        "known.toml": [[Failure]],
    } == results
    assert (8, 5, 1, 0) == (read.tests, read.failures, read.errors, read.skipped)
    assert [(suite.tests, suite.failures, suite.errors) for suite in read] == [
        (len(cases), sum(Failure in case for case in cases), sum(Error in case for case in cases))
        for cases in results.values()
    ]
    (told,) = suites["c.charleston"][0].result
    assert "difference.flow, count.during" == told.type and "c.charleston:9: SOUTH holds" in told.text


def test_known_faults_are_skipped_cases_and_suppressed_results(reports: Path, ask: Ask) -> None:
    """A game with known faults only is a skipped case, and its results are suppressed, with the reason."""
    (reports / "known.toml").write_text(
        KNOWN.replace("a.charleston", "b 100%.charleston").replace("7", "11").replace("pass.three", "joker.passed")
    )
    arguments = "--expected", "known.toml", "--junit", "k.xml", "--sarif", "k.sarif"
    assert 0 == ask("check", "b 100%.charleston", *arguments)[0]
    (case,) = (case for suite in JUnitXml.fromfile(str(reports / "k.xml")) for case in suite)
    results = json.loads((reports / "k.sarif").read_text())["runs"][0]["results"]

    assert [(Skipped, "Long gone.; Known for long.")] == [(type(each), each.message) for each in case.result]
    assert ["Long gone.", "Known for long."] == [each["suppressions"][0]["justification"] for each in results]


def test_every_line_of_json_fits_the_schema(reports: Path) -> None:
    """Each line of the JSON report fits the schema that is documented, and the last one is the summary."""
    lines = (reports / "o.jsonl").read_text().splitlines()
    for number, line in enumerate(lines):
        (reports / f"{number}.json").write_text(line)
    ran = subprocess.run(
        [str(Path(sys.executable).parent / "check-jsonschema"), "--schemafile", str(SCHEMA)]
        + [str(reports / f"{number}.json") for number in range(len(lines))],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (0, 8) == (ran.returncode, len(lines)), ran.stdout + ran.stderr
    assert {"summary"} == json.loads(lines[-1]).keys()


def test_the_page_tells_every_key_of_the_json() -> None:
    """The page of the command has each key of the schema in its tables."""
    page = (ROOT / "clients" / "python" / "check.md").read_text()

    def keys(schema: Any) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keys, schema))
        if not isinstance(schema, dict):
            return set()
        return set(schema.get("properties", {})).union(*map(keys, schema.values()))

    assert set() == {key for key in keys(json.loads(SCHEMA.read_text())) if f"`{key}`" not in page}


def test_sarif_has_the_structure_that_is_asked_of_it(reports: Path) -> None:
    """Each result has a rule of the driver at its index, a sentence, a place from the root, and a fingerprint."""
    log = json.loads((reports / "o.sarif").read_text())
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    prints = [result["partialFingerprints"]["charlestonFault/v1"] for result in run["results"]]

    assert "2.1.0" == log["version"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["shortDescription"]["text"] and rule["fullDescription"]["text"] for rule in rules)
    assert all(result["ruleId"] == rules[result["ruleIndex"]]["id"] for result in run["results"])
    assert all(result["message"]["text"].endswith(".") for result in run["results"])
    assert len(set(prints)) == len(prints)
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    found = [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places]
    assert [("b%20100%25.charleston", 11), ("b%20100%25.charleston", 12)] == found[:2]
    assert [("e.charleston", 1), ("known.toml", 7)] == found[-2:]
    assert [{"executionSuccessful": False, "exitCode": 2}] == run["invocations"]


def test_github_is_told_what_is_not_known(reports: Path) -> None:
    """An annotation names file, line and rules, escaped, and tells the act and what is wrong in one line."""
    told = [line for line in (reports / "out").read_text().splitlines() if line.startswith("::")]

    assert told[0].startswith("::error file=b 100%25.charleston,line=11,title=joker.passed::NORTH passes 1b W J")
    assert "%0A" in told[0] and "look.before" not in "".join(told[:2])
    assert "::error file=known.toml,line=7,title=no longer as listed::a.charleston:7 no longer breaks" in told[-1]
    assert ("50%25%0D%0Aoff: a, b", "50%25 a%3Ab%2Cc") == (data_of("50%\r\noff: a, b"), property_of("50% a:b,c"))


def test_paths_are_told_from_the_root_of_the_repository(
    reports: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a workflow says where its checkout is, files are named from there, wherever the command is run."""
    (reports / "deep").mkdir()
    monkeypatch.chdir(reports / "deep")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(reports))
    out = ask("check", "../c.charleston", "--github")[1]

    assert "::error file=c.charleston,line=9," in out


def test_xml_holds_only_what_it_may() -> None:
    """What XML has no way to write is replaced, and nothing else."""
    assert "a\t\n\ufffd\ufffdé\U0001f004" == printable("a\t\n\x00\x1bé\U0001f004")
