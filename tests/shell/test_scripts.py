"""The scripts' command lines and the operator's login, without installing anything."""

import os
import re
import stat
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import Settings

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("bin/demo", "bin/test", ".ci/run")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_may_be_run_and_is_valid_bash(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    assert run("bash", "-n", str(ROOT / script)).stderr == ""


@pytest.mark.parametrize("script", ["bin/environment.sh", "tests/shell/bare_root.sh"])
def test_other_shell_files_are_valid_bash(script: str) -> None:
    assert run("bash", "-n", str(ROOT / script)).stderr == ""


def test_ci_runs_the_test_command_alone() -> None:
    lines = (ROOT / ".ci/run").read_text().splitlines()
    commands = [line for line in lines if not line.startswith(("#", "set "))]
    assert commands == ['CI=true exec "$(dirname "${BASH_SOURCE[0]}")/../bin/test" "$@"']


def test_demo_refuses_an_option_it_does_not_know() -> None:
    result = run(str(ROOT / "bin/demo"), "--sevre")
    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == 'bin/demo does not know "--sevre".'


@pytest.mark.parametrize("port", ["0", "65536", "http", ""])
def test_demo_refuses_a_port_that_is_none(port: str) -> None:
    result = run(str(ROOT / "bin/demo"), "--port", port)
    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == f'The port must be a whole number from 1 to 65535, got "{port}".'


def test_demo_refuses_a_port_option_without_a_number() -> None:
    assert run(str(ROOT / "bin/demo"), "--port").returncode == 2


def test_fast_and_all_exclude_each_other() -> None:
    result = run(str(ROOT / "bin/test"), "--fast", "--all")
    assert result.returncode == 1
    assert result.stderr.startswith("--fast and --all exclude each other")


@pytest.mark.django_db
def test_make_operator_prints_and_keeps_a_password_that_logs_in(tmp_path: Path, settings: Settings) -> None:
    settings.VAR_DIR = tmp_path
    output = StringIO()
    call_command("make_operator", stdout=output)
    password = output.getvalue().rstrip("\n")
    kept = tmp_path / "operator-password"
    operator = User.objects.get()
    assert re.fullmatch(r"[\w-]{20}", password)
    assert operator.username == "operator"
    assert operator.is_superuser
    assert operator.check_password(password)
    assert kept.read_text() == password + "\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.django_db
def test_make_operator_leaves_a_store_with_a_superuser_alone(tmp_path: Path, settings: Settings) -> None:
    settings.VAR_DIR = tmp_path
    User.objects.create_superuser("owner", password="own password of the owner")
    output, errors = StringIO(), StringIO()
    call_command("make_operator", stdout=output, stderr=errors)
    assert output.getvalue() == ""
    assert errors.getvalue() == "Superuser owner exists already, so no login was made.\n"
    assert list(User.objects.values_list("username", flat=True)) == ["owner"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_make_operator_refuses_to_promote_a_user(tmp_path: Path, settings: Settings) -> None:
    settings.VAR_DIR = tmp_path
    User.objects.create_user("operator", password="known to somebody")
    with pytest.raises(CommandError, match="is no superuser, so no login was made"):
        call_command("make_operator")
    assert User.objects.filter(is_superuser=True).count() == 0
