# The virtual environment that bin/demo and bin/test share: made once beside them, filled from the requirement files.
# Sourced, not run. Its functions read and set: root, python, missing (what could not be had, one sentence each).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python="$root/.venv/bin/python"
setup_log="$root/var/setup.log"
missing=()

export LC_ALL=C.UTF-8
export DJANGO_SETTINGS_MODULE=configbox.settings
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

stop_with() {
    printf '%s\n' "$1" >&2
    exit 1
}

can_install_packages() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

# Debian's own package lists may be missing or old, so a failed try is followed by one with fresh lists.
install_packages() {
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y)
    printf 'Installing Debian packages: %s\n' "$*" >&2
    "${apt[@]}" install --no-install-recommends "$@" >>"$setup_log" 2>&1 && return 0
    "${apt[@]}" update >>"$setup_log" 2>&1 || true
    "${apt[@]}" install --no-install-recommends "$@" >>"$setup_log" 2>&1
}

ensure_virtual_environment() {
    mkdir -p "$root/var"
    "$python" -m pip --version >/dev/null 2>&1 && return 0
    local base
    base=$(command -v python3) || stop_with "python3 is missing: install Python 3.11 or newer (Debian: apt-get install python3 python3-venv), then run this again."
    "$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        stop_with "ConfigBox needs Python 3.11 or newer, but $base is $("$base" --version 2>&1): put a newer python3 first on PATH, then run this again."
    if ! "$base" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        can_install_packages && install_packages python3-venv || true
        "$base" -c 'import ensurepip, venv' >/dev/null 2>&1 ||
            stop_with "Python's venv module is missing: install it as root (Debian: apt-get install python3-venv), then run this again."
    fi
    printf 'Making the virtual environment .venv\n' >&2
    "$base" -m venv --clear "$root/.venv" >>"$setup_log" 2>&1 ||
        stop_with "The virtual environment $root/.venv could not be made: $setup_log says why."
}

# What a stamp holds: the Python and the requirement files that an installation was made from.
requirements_wanted() {
    "$python" --version
    (cd "$root" && cat "$@")
}

# install_requirements runtime|development
install_requirements() {
    local kind=$1 files=(requirements.txt) stamp="$root/.venv/installed-$1" wanted
    [ "$kind" = development ] && files+=(requirements-dev.txt)
    wanted=$(requirements_wanted "${files[@]}")
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
        printf 'Installing the Python packages of %s\n' "${files[*]}" >&2
        local list="$root/.venv/requirements-$kind.txt"
        (cd "$root" && grep -hiv '^mysqlclient' "${files[@]}") >"$list"
        "$python" -m pip install --quiet --requirement "$list" >>"$setup_log" 2>&1 ||
            stop_with "pip could not install the packages of ${files[*]}: the end of $setup_log says why."
        install_mysqlclient again
        printf '%s\n' "$wanted" >"$stamp"
    else
        install_mysqlclient
    fi
}

mysqlclient_imports() {
    "$python" -c 'import MySQLdb' >/dev/null 2>&1
}

mariadb_headers_found() {
    [ -n "${MYSQLCLIENT_CFLAGS:-}" ] && return 0
    command -v pkg-config >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1 || return 1
    pkg-config --exists libmariadb || pkg-config --exists mariadb || pkg-config --exists mysqlclient || return 1
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

# mysqlclient compiles against MariaDB's client headers; a store on SQLite does well without it.
install_mysqlclient() {
    [ "${1:-}" != again ] && mysqlclient_imports && return 0
    if ! mariadb_headers_found && can_install_packages; then
        install_packages default-libmysqlclient-dev pkg-config gcc python3-dev || true
    fi
    if mariadb_headers_found; then
        printf 'Building mysqlclient\n' >&2
        "$python" -m pip install --quiet "$(grep -i '^mysqlclient' "$root/requirements.txt")" >>"$setup_log" 2>&1 || true
        mysqlclient_imports && return 0
        missing+=("MariaDB through mysqlclient: its build failed, the end of $setup_log says why. SQLite works.")
    elif ! mysqlclient_imports; then
        missing+=("MariaDB through mysqlclient: its headers are missing (Debian, as root: apt-get install default-libmysqlclient-dev pkg-config gcc python3-dev). SQLite works.")
    fi
}

# install_node_packages FOLDER: what its lock file names, anew only when that changes; node_trouble says why it failed.
install_node_packages() {
    local folder="$root/$1" stamp="$root/$1/node_modules/installed-from"
    cmp -s "$folder/package-lock.json" "$stamp" && return 0
    command -v npm >/dev/null 2>&1 || ! can_install_packages || install_packages nodejs npm || true
    if ! command -v npm >/dev/null 2>&1; then
        node_trouble="npm is missing (Debian, as root: apt-get install nodejs npm)."
        return 1
    fi
    printf 'Installing the npm packages of %s\n' "$1" >&2
    if ! (cd "$folder" && npm ci) >>"$setup_log" 2>&1; then
        node_trouble="npm could not install the packages of $1, the end of $setup_log says why."
        return 1
    fi
    cp "$folder/package-lock.json" "$stamp"
}
