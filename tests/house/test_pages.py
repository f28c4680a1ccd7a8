"""The pages: their generated parts are what the code says today, and every link leads somewhere."""

from __future__ import annotations

import hmac
import io
import json
import os
import re
import subprocess
import sys
from base64 import b32encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from charleston import RefereeClient, RefereeError
from charleston.referee.v1 import service_pb2, table_pb2
from referee.codec import write_act, write_table
from referee.server import running
from referee.service import referee as referee_methods
from referee.settings import Settings
from tests.house import pages_protocol
from tests.house.pages import PARTS, PICTURES, ROOT, fresh

SKIPPED = {"node_modules", "build", "dist", "mutants"}
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages() -> Iterator[Path]:
    """Yield every page, but for those of environments and builds."""
    for folder, folders, files in os.walk(ROOT):
        # Left alone, not only left out: what tests of a deployment have there comes and goes.
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        yield from (Path(folder, file) for file in sorted(files) if file.endswith(".md"))


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, made as those who show Markdown make them."""
    slugs: dict[str, int] = {}
    for heading in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        slugs[slug] = slugs.get(slug, -1) + 1
    return {f"{slug}-{number}" if number else slug for slug, times in slugs.items() for number in range(times + 1)}


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Yield where a page's links lead that stay in this tree: the file, and the name in it."""
    for link in LINK.findall(prose(page)):
        if "://" not in link and not link.startswith("mailto:"):
            where, _, name = link.partition("#")
            yield (page.parent / where).resolve() if where else page, name


@pytest.mark.parametrize("page", [*PARTS, *PICTURES])
def test_a_page_is_fresh(page: str) -> None:
    """A page is what `make docs` writes."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert text == fresh(page, text), "run `make docs`"


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """Every link of a page that stays in this tree leads to a file, and to a heading where it names one."""
    found = list(links(page))

    assert [] == [str(where) for where, _ in found if not where.exists() or not where.is_relative_to(ROOT)]
    assert [] == [f"{where}#{name}" for where, name in found if name and name not in anchors(where)]


def test_every_page_can_be_found() -> None:
    """Every page is linked from README, or from a page that is."""
    found, to_read = {ROOT / "README.md"}, [ROOT / "README.md"]
    while to_read:
        for where, _ in links(to_read.pop()):
            if where.suffix == ".md" and where not in found:
                found.add(where)
                to_read.append(where)

    assert [] == [str(page.relative_to(ROOT)) for page in pages() if page not in found]


def test_no_page_knows_the_machine_it_was_written_on() -> None:
    """No page names a path of some machine."""
    wrong = [str(page) for page in pages() if re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", page.read_text())]

    assert [] == wrong


def test_the_log_fields_on_the_page_are_those_of_a_line(tmp_path: Path) -> None:
    """Every field that a log line has is on the page, and every field on the page is written somewhere."""
    page = (ROOT / "referee" / "README.md").read_text(encoding="utf-8").partition("### Log lines")[2]
    named = {
        field for row in re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE) for field in re.findall(r"`(\w+)`", row)
    }
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    out = io.BytesIO()
    settings = Settings(listen="127.0.0.1:0", metrics="127.0.0.1:0", id_key_file=str(key))
    with running(settings, out=out) as server, RefereeClient(server.address) as referee:
        stop = table_pb2.Act(seat=table_pb2.SEAT_EAST, stop=table_pb2.Stop())
        referee.judge(service_pb2.JudgeRequest(act=stop))
        referee.judge_batch(service_pb2.JudgeBatchRequest(questions=[service_pb2.Question()]))
        with pytest.raises(RefereeError):
            referee.judge(service_pb2.JudgeRequest())
    written = {field for line in out.getvalue().splitlines() for field in json.loads(line)}
    modules = ("ending.py", "journal.py", "log.py", "processes.py", "server.py", "tls.py")
    sources = "".join((ROOT / "referee" / name).read_text(encoding="utf-8") for name in modules)

    assert len(written) > 10
    assert set() == written - named
    assert [] == [field for field in named if not re.search(rf'"{field}"|\b{field}=', sources)]


def test_the_vectors_of_the_protocol_page_are_what_anybody_computes() -> None:
    """An id on the page is the HMAC-SHA-256 of the text before it, in base32, and the one that the service gives."""
    page = (ROOT / "proto" / "README.md").read_text(encoding="utf-8").partition("## The id of a ruling")[2]
    shown = re.findall(r"```text\n(.*?)\n```\n\n`([A-Z2-7]{26})`", page, re.DOTALL)
    judge = referee_methods(key=pages_protocol.KEY)["Judge"]
    served = []
    for table, act in pages_protocol.asked():
        if act:
            question = service_pb2.JudgeRequest(table=write_table(table), act=write_act(act))
            served.append(service_pb2.JudgeResponse.FromString(judge(question.SerializeToString(), "").body).ruling.id)

    assert 3 == len(shown)
    for text, id in shown:
        assert id == b32encode(hmac.digest(pages_protocol.KEY, text.encode(), "sha256"))[:26].decode()
    assert served == [id for text, id in shown if not text.endswith("\n-")]


def test_the_descriptor_set_has_the_service_and_its_comments(tmp_path: Path) -> None:
    """What `make descriptor` writes can be read, and holds the service with its comments."""
    buf, path = Path(sys.executable).with_name("buf"), tmp_path / "referee.binpb"
    subprocess.run([buf, "build", "--as-file-descriptor-set", "-o", path], cwd=ROOT / "proto", check=True)
    files = {file.name: file for file in FileDescriptorSet.FromString(path.read_bytes()).file}
    service = files["charleston/referee/v1/service.proto"]

    assert ["RefereeService"] == [each.name for each in service.service]
    assert any(at.leading_comments for at in service.source_code_info.location)
    assert "--as-file-descriptor-set" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_template_is_on_its_page() -> None:
    """The page of generated code names every template, and each generates from the proto files of this tree."""
    directory = ROOT / "clients" / "codegen"
    page = (directory / "README.md").read_text(encoding="utf-8")
    templates = sorted(directory.glob("buf.gen.*.yaml"))

    assert 4 == len(templates)
    assert [] == [template.name for template in templates if f"({template.name})" not in page]
    assert [] == [template.name for template in templates if "directory: proto\n" not in template.read_text("utf-8")]
