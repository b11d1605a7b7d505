"""What the repository's documents say, held against what is there."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
SETTING = re.compile(r"""env(?:\.\w+)?\(\s*["']([A-Z_]+)["']""")
REQUIREMENT = re.compile(r"^([A-Za-z0-9_.-]+)\s*[~=<>!]", re.MULTILINE)


def documents() -> list[Path]:
    """Every document of the repository that a reader may follow."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def read_settings() -> set[str]:
    return set(SETTING.findall((ROOT / "configbox" / "settings.py").read_text()))


def requirements() -> list[str]:
    texts = [(ROOT / name).read_text() for name in ("requirements.txt", "requirements-dev.txt")]
    return [name for text in texts for name in REQUIREMENT.findall(text)]


def test_env_example_lists_the_variables_that_settings_read() -> None:
    listed = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert "DATABASE_URL" in read_settings()
    assert sorted(listed) == sorted(read_settings())


def test_env_example_sets_nothing_as_it_stands() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == []


def test_configure_explains_the_variables_that_settings_read() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "configure.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(read_settings())


def test_dependencies_has_one_line_for_each_requirement() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text()
    rows = re.findall(r"^\| ([A-Za-z0-9_.-]+) \| \S.*\|$", text, re.MULTILINE)
    assert "Django" in requirements()
    assert [row for row in rows if row != "Library"] == requirements()


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_management_command_that_a_document_names_exists(document: Path) -> None:
    named = set(re.findall(r"manage\.py ([a-z][a-z_]*)", document.read_text()))
    assert sorted(named - set(get_commands())) == []


def test_the_documents_name_the_commands_of_this_project() -> None:
    named = {name for path in documents() for name in re.findall(r"manage\.py ([a-z][a-z_]*)", path.read_text())}
    assert {"mcp", "changes", "migrate"} <= named


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_between_documents_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", document.read_text())
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (document.parent / link).exists()] == []


def test_docs_index_links_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    pages = [path.name for path in (ROOT / "docs").glob("*.md") if path.name != "README.md"]
    assert [name for name in pages if f"({name})" not in index] == []


def test_readme_names_both_commands_and_folders_that_exist() -> None:
    text = (ROOT / "README.md").read_text()
    assert "bin/demo" in text
    assert "bin/test" in text
    paths = re.findall(r"`((?:configbox|cbx_mcp)(?:/[\w./]+)?)`", text)
    assert "configbox/engine" in paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
