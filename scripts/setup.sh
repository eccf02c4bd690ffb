#!/bin/sh
# Makes this checkout ready to render: system packages, a virtual environment, the locked Python packages.
# Run through `make setup`, or by hand as `sh scripts/setup.sh`. A second run finds nothing to do.
# PYTHON=/path/to/python chooses the interpreter; otherwise the newest of 3.13, 3.12, 3.11 that runs is taken.

set -u
# Without this, `cd` to a folder found through CDPATH would also print it.
unset CDPATH PYTHONHOME PYTHONPATH PYTHONUSERBASE PYTHONSTARTUP PYTHONINSPECT PYTHONSAFEPATH PYTHONPLATLIBDIR \
    PYTHONWARNINGS PYTHONOPTIMIZE PYTHONEXECUTABLE __PYVENV_LAUNCHER__
cd -- "$(dirname -- "$0")/.." || exit 1

venv=.venv
log=$venv/setup.log
ready=$venv/.ready
lock=.venv.lock
started=$(date +%s)

say() { printf 'setup: %s\n' "$*"; }

die() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

# fail STEP FIX: a step that writes to the log went wrong.
fail() {
    {
        printf 'setup: %s failed; the last lines of %s:\n' "$1" "$log"
        tail -n 15 "$log" | sed 's/^/    /'
        printf 'setup: to fix it: %s\n' "$2"
    } >&2
    exit 1
}

logged() {
    printf '\n$ %s\n' "$*" >>"$log"
    "$@" >>"$log" 2>&1 </dev/null
}

have() { command -v "$1" >/dev/null 2>&1; }

# --- Python --------------------------------------------------------------------------------------------------------

# Asks by running it: a version manager's shim exists for interpreters that it then refuses to start.
suits() {
    "$1" -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] < (3, 14) and sys.implementation.name == "cpython"))' \
        >/dev/null 2>&1 </dev/null
}

has_venv_module() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 </dev/null; }

has_headers() {
    "$1" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' \
        >/dev/null 2>&1 </dev/null
}

# Only the system's own interpreter can be completed with system packages.
is_systems_own() { "$1" -c 'import sys; sys.exit(sys.base_prefix != "/usr")' >/dev/null 2>&1 </dev/null; }

choose_python() {
    python=
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] || continue
        if suits "$candidate" && { is_systems_own "$candidate" || { has_venv_module "$candidate" && has_headers "$candidate"; }; }; then
            python=$candidate
            return
        fi
    done
}

# --- What the system must have ---------------------------------------------------------------------------------------

has_font() {
    have fc-list || return 1
    for family in "Noto Sans CJK SC" ${1:+"$1"}; do
        [ -z "$(fc-list ":family=$family" family 2>/dev/null)" ] || return 0
    done
    return 1
}

# Sets `needs` to what is missing, by what it is for and not by package, so that an ffmpeg from elsewhere counts too.
look_for_needs() {
    needs=
    choose_python
    if [ -z "$python" ]; then
        needs="$needs python"
    else
        has_venv_module "$python" || needs="$needs python-venv"
        has_headers "$python" || needs="$needs python-headers"
    fi
    have cc || have gcc || needs="$needs c-compiler"
    have c++ || have g++ || needs="$needs c++-compiler"
    have make || needs="$needs make"
    if have pkg-config; then
        pkg-config --exists cairo || needs="$needs cairo"
        pkg-config --exists pangocairo || needs="$needs pango"
    else
        needs="$needs pkg-config cairo pango"
    fi
    { have ffmpeg && have ffprobe; } || needs="$needs ffmpeg"
    have gifsicle || needs="$needs gifsicle"
    if [ "$system" = Darwin ]; then
        # Homebrew has dropped the CJK edition; this is the same design under its other name.
        has_font "Noto Sans SC" || needs="$needs font"
    else
        has_font || needs="$needs font"
    fi
}

debian_packages() {
    for need in $needs; do
        case $need in
            python) printf ' python3 python3-venv python3-dev' ;;
            python-venv) printf ' python%s-venv' "$python_version" ;;
            python-headers) printf ' python%s-dev' "$python_version" ;;
            c-compiler) printf ' gcc' ;;
            c++-compiler) printf ' g++' ;;
            cairo) printf ' libcairo2-dev' ;;
            pango) printf ' libpango1.0-dev' ;;
            font) printf ' fonts-noto-cjk' ;;
            *) printf ' %s' "$need" ;;
        esac
    done
}

install_on_debian() {
    python_version=
    [ -z "$python" ] || python_version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    packages=$(debian_packages)
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif have sudo && sudo -n true >/dev/null 2>&1 </dev/null; then
        as_root="sudo -n"
    else
        die "install these first, then run this again: sudo apt-get update && sudo apt-get install -y$packages"
    fi
    say "installing system packages:$packages"
    # A package list that one of several sources cannot give is no reason to stop; a package that is not found is.
    logged $as_root apt-get -q update || say "apt-get update failed; continuing with the package lists at hand"
    logged $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 $packages \
        || fail "apt-get install" "sudo apt-get update && sudo apt-get install -y$packages"
}

install_on_macos() {
    formulas=
    casks=
    for need in $needs; do
        case $need in
            c-compiler | c++-compiler | make) die "install Apple's command line tools first, then run this again: xcode-select --install" ;;
            python | python-venv | python-headers) formulas="$formulas python@3.13" ;;
            font) casks=" font-noto-sans-sc" ;;
            *) formulas="$formulas $need" ;;
        esac
    done
    command="${formulas:+brew install$formulas}${formulas:+${casks:+ && }}${casks:+brew install --cask$casks}"
    have brew || die "install Homebrew, then these, then run this again: $command"
    say "installing with Homebrew:$formulas$casks"
    export HOMEBREW_NO_ENV_HINTS=1 NONINTERACTIVE=1
    if [ -n "$formulas" ]; then logged brew install $formulas || fail "brew install" "$command"; fi
    if [ -n "$casks" ]; then logged brew install --cask $casks || fail "brew install --cask" "$command"; fi
}

prepare_system() {
    system=$(uname -s)
    look_for_needs
    [ -n "$needs" ] || return 0
    if [ "$system" = Darwin ]; then
        install_on_macos
    elif [ "$system" = Linux ] && have apt-get; then
        install_on_debian
    else
        die "install these with this system's package manager, then run this again:$needs (Noto Sans CJK SC; cairo and pango with headers; Python 3.11 to 3.13)"
    fi
    hash -r
    look_for_needs
    case " $needs " in
        *" python "*) die "no Python 3.11, 3.12 or 3.13 was found: install one, then run this again as: make setup PYTHON=/path/to/python3" ;;
    esac
    [ -z "$needs" ] || die "still missing after installing:$needs (see $log)"
}

# --- The virtual environment -----------------------------------------------------------------------------------------

# Two runs at once would write into one environment. A lock whose owner is gone was left by an interrupted run.
take_lock() {
    for try in 1 2; do
        if (set -C && echo $$ >"$lock") 2>/dev/null; then
            trap 'rm -f "$lock"' EXIT
            trap 'exit 130' INT
            trap 'exit 143' HUP TERM
            return
        fi
        owner=$(cat "$lock" 2>/dev/null)
        if [ -n "$owner" ] && kill -0 "$owner" 2>/dev/null; then
            die "another set-up is running here (process $owner); wait for it, or delete $lock if there is none"
        fi
        [ "$try" = 2 ] || {
            rm -f "$lock"
        }
    done
    die "cannot write in $(pwd)"
}

# Counted up when something else is to be installed, or in another way.
form=2
fingerprint() { { echo "$form"; cat requirements.lock; } | cksum; }

is_ready() { [ "$(cat "$ready" 2>/dev/null)" = "$(fingerprint)" ] && suits "$venv/bin/python"; }

make_environment() {
    # What an interrupted or older run left is not worth mending: packages half installed look whole to pip.
    find "$venv" -mindepth 1 -maxdepth 1 ! -name setup.log -exec rm -rf {} + || die "cannot clear $venv: delete it by hand"
    say "making $venv with $("$python" --version)"
    logged "$python" -m venv "$venv" || fail "making the virtual environment" "sh scripts/setup.sh with PYTHON=/path/to/another/python3"

    count=$(grep -c '^[a-zA-Z0-9]' requirements.lock)
    say "installing up to $count Python packages from requirements.lock (a minute or two)"
    # Lets `python scripts/render_lecture.py` find the packages that lie beside scripts/. Relative, so that the checkout
    # can be moved and may lie under any name.
    logged "$venv/bin/python" -c 'import pathlib, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "checkout.pth").write_text("../../../..\n", encoding="ascii")' \
        || fail "linking the checkout" "look at the lines above, then run this again"

    logged sh scripts/packages.sh requirements.lock 'import cairo, manimpango, scripts.studio.plain_manim' \
        || fail "installing the Python packages" \
            "look at the lines above, then run this again; where they tell of no network or disk: make doctor"
}

prepare_environment() {
    if is_ready; then
        touch "$ready"
        say "nothing to do: $venv matches requirements.lock"
        return
    fi
    rm -f "$ready"
    make_environment
    fingerprint >"$venv/.ready.part" && mv "$venv/.ready.part" "$ready" || die "cannot write $ready"
    say "ready after $(($(date +%s) - started)) s"
}

case $(pwd) in
    *:*) die "Python cannot make a virtual environment in a path with a colon, $(pwd): move or rename the folder" ;;
esac
[ -f requirements.lock ] || die "requirements.lock is missing: restore it from version control"
take_lock
mkdir -p "$venv" 2>/dev/null || die "cannot write in $(pwd)"
is_ready || : >"$log"
prepare_system
prepare_environment
