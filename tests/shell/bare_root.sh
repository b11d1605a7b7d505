#!/usr/bin/env bash
# bin/demo and bin/test in a bare Debian 12: python3 alone, plus this machine's resolver, certificates, proxy and pip
# settings. Run as root on a machine with debootstrap:
#   tests/shell/bare_root.sh [root-demo] [user-demo] [root-test] [user-test]    (no name: the first three)
# BARE_ROOT_SOURCE=worktree tries the files as they lie instead of the last commit.
# BARE_ROOT_CACHE names the tarball that keeps the bare root between runs, DEBIAN_MIRROR another mirror.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
cache=${BARE_ROOT_CACHE:-${TMPDIR:-/tmp}/configbox-bare-debian-12.tar}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

[ "$(id -u)" = 0 ] || { echo "This trial mounts and chroots: run it as root." >&2; exit 2; }

# The trials run in namespaces of their own; the scratch folder is deleted out here, where their mounts never existed,
# so that deleting it can never reach a folder of this machine through a mount.
if [ -z "${BARE_ROOT_HOME:-}" ]; then
    home=$(mktemp -d)
    clean_up() {
        if grep -qF " $home" /proc/self/mountinfo; then
            echo "Something is still mounted under $home: nothing was deleted. Unmount it, then delete the folder." >&2
            return
        fi
        rm -rf --one-file-system "${home:?}"
    }
    trap clean_up EXIT
    status=0
    BARE_ROOT_HOME="$home" unshare --mount --propagation private --pid --fork --kill-child "${BASH_SOURCE[0]}" "$@" || status=$?
    exit "$status"
fi
[ "$(readlink /proc/self/ns/mnt)" != "$(readlink "/proc/$PPID/ns/mnt" 2>/dev/null)" ] || {
    echo "BARE_ROOT_HOME is set by the script itself: unset it." >&2
    exit 2
}

home=$BARE_ROOT_HOME
root=

make_cache() {
    [ -f "$cache" ] && return 0
    command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 2; }
    echo "-- debootstrap"
    debootstrap --variant=minbase --include=python3,ca-certificates bookworm "$home/debian" "$mirror" >"$home/debootstrap.log" 2>&1 ||
        { tail -n 20 "$home/debootstrap.log" >&2; exit 2; }
    tar --create --file "$cache.$$" --one-file-system --directory "$home/debian" .
    mv "$cache.$$" "$cache"
}

pip_settings=(/etc/pip.conf /etc/xdg/pip "$HOME/.config/pip" "$HOME/.pip")

# Folders that pip settings name as package sources; an index keeps its files beside its `simple` folder.
pip_folders() {
    {
        env | grep '^PIP_' | cut -d= -f2- || true
        grep -rhsvE '^[[:space:]]*[#;]' "${pip_settings[@]}" || true
    } | grep -oE '(^|[[:space:]=]|file://)/[^[:space:]]+' | sed -E 's#^.*file://##; s#^[[:space:]=]+##; s#/simple/?$##' | sort -u |
        while read -r folder; do
            case $folder in /etc | /etc/*) ;; *) [ ! -d "$folder" ] || printf '%s\n' "$folder" ;; esac
        done
}

# hand_in FROM [TO]: copies a file or folder of this machine into the root.
hand_in() {
    [ -e "$1" ] || return 0
    local to="${root:?}${2:-$1}"
    mkdir -p "$(dirname "$to")"
    cp -aLT --remove-destination "$1" "$to" 2>/dev/null || true
}

# lend FOLDER: shows a folder of this machine inside the root, read-only.
lend() {
    mkdir -p "${root:?}$1"
    mount --bind "$1" "$root$1"
    mount -o remount,bind,ro "$root$1"
}

# Device files of the root's own; this machine's /dev is not shown to it.
make_devices() {
    mount -t tmpfs tmpfs "${root:?}/dev"
    cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty "$root/dev/"
    ln -s /proc/self/fd "$root/dev/fd"
    mkdir -m 1777 "$root/dev/shm"
}

# new_root NAME: a fresh bare root in $root, with the machine's settings and no more.
new_root() {
    root="$home/$1"
    mkdir -p "$root"
    tar --extract --file "$cache" --directory "$root"
    mount -t proc proc "$root/proc"
    make_devices
    hand_in /etc/resolv.conf
    hand_in /etc/hosts
    hand_in /etc/ssl/certs
    hand_in /usr/local/share/ca-certificates
    hand_in /etc/pip.conf
    hand_in /etc/xdg/pip
    local file folder
    for file in /etc/apt/apt.conf.d/*; do
        if grep -q '^Acquire::' "$file"; then hand_in "$file"; fi
    done
    chroot "$root" useradd --create-home shopkeeper
    for folder in .config/pip .pip; do
        hand_in "$HOME/$folder" "/root/$folder"
        hand_in "$HOME/$folder" "/home/shopkeeper/$folder"
    done
    for folder in $(pip_folders); do
        lend "$folder"
    done
    clone "$root/root/configbox"
    clone "$root/home/shopkeeper/configbox"
    chroot "$root" chown -R shopkeeper:shopkeeper /home/shopkeeper
}

clone() {
    if [ "${BARE_ROOT_SOURCE:-commit}" = worktree ]; then
        mkdir -p "$1"
        (cd "$repository" && git ls-files -z --cached --others --exclude-standard | tar --create --null --ignore-failed-read --files-from=- 2>/dev/null) |
            tar --extract --directory "$1"
    else
        git clone --quiet --no-hardlinks "$repository" "$1"
    fi
}

# as USER COMMAND...: inside the root, in USER's clone, with the network settings of this machine's environment.
as() {
    local user=$1 at=/root settings=()
    shift
    [ "$user" = root ] || at=/home/$user
    mapfile -t settings < <(env | grep -E '^(PIP_[A-Z_]+|[A-Za-z]+_proxy|[A-Z]+_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS)=' || true)
    chroot --userspec="$user:$user" "$root" env -i HOME="$at" USER="$user" LANG=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${settings[@]+"${settings[@]}"} bash -c 'cd ~/configbox && exec "$@"' bash "$@"
}

fail() {
    printf 'FAILED: %s\n' "$1" >&2
    exit 1
}

# A store's rows as one checksum, so that a second run can be shown to change nothing.
store_checksum() {
    as "$1" .venv/bin/python -c 'import hashlib, sqlite3
rows = sqlite3.connect("var/configbox.sqlite3").iterdump()
print(hashlib.sha256("\n".join(rows).encode()).hexdigest())'
}

demo_twice() {
    local user=$1 first second
    as "$user" bin/demo --setup-only | tee "$home/first.txt"
    grep -qE '^Password: [^ ]{12,} ' "$home/first.txt" || fail "the first run of bin/demo printed no password"
    grep -qF 'mcp --read-only' "$home/first.txt" || fail "bin/demo printed no read-only line"
    grep -qF 'mcp --preset=author' "$home/first.txt" || fail "bin/demo printed no author line"
    first=$(store_checksum "$user")
    as "$user" bin/demo --setup-only | tee "$home/second.txt"
    second=$(store_checksum "$user")
    [ "$first" = "$second" ] || fail "a second run of bin/demo changed the store"
    grep -q '^Password: made on the first run' "$home/second.txt" || fail "the second run of bin/demo did not say where the password is"
}

# Served and ended by Ctrl-C: job control gives the background command back its interrupt signal.
demo_serves() {
    local user=$1 served=no status=0 try
    set -m
    as "$user" bin/demo --port 8765 >"$home/served.txt" 2>&1 &
    local server=$!
    set +m
    for try in $(seq 60); do
        if as "$user" python3 -c 'import urllib.request as r; r.urlopen("http://127.0.0.1:8765/admin/login/", timeout=5)' 2>/dev/null; then
            served=yes
            break
        fi
        sleep 1
    done
    kill -INT -- "-$server" || true
    wait "$server" || status=$?
    tail -n 3 "$home/served.txt"
    [ "$served" = yes ] || fail "bin/demo did not serve the admin's login page after $try s"
    [ "$status" = 0 ] || fail "Ctrl-C ended bin/demo with exit code $status"
}

trial_root-demo() {
    demo_twice root
    demo_serves root
}

trial_user-demo() {
    if as shopkeeper bin/demo --setup-only >"$home/refused.txt" 2>&1; then
        fail "bin/demo went on without python3-venv as an ordinary user"
    fi
    cat "$home/refused.txt"
    [ "$(wc -l <"$home/refused.txt")" = 1 ] && grep -q 'python3-venv' "$home/refused.txt" ||
        fail "without python3-venv bin/demo did not say in one line what to install"
    as root sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends python3-venv' >/dev/null 2>&1
    demo_twice shopkeeper
    demo_serves shopkeeper
}

trial_root-test() {
    as root .ci/run
}

trial_user-test() {
    as root sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends python3-venv' >/dev/null 2>&1
    as shopkeeper bin/test
}

[ $# -gt 0 ] || set -- root-demo user-demo root-test
make_cache
for name in "$@"; do
    declare -F "trial_$name" >/dev/null || fail "there is no trial named $name; there are root-demo, user-demo, root-test, user-test"
done
for name in "$@"; do
    start=$SECONDS
    echo "-- $name"
    new_root "$name"
    "trial_$name"
    echo "-- $name: well after $((SECONDS - start)) s"
done
