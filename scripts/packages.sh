#!/bin/sh
# Installs the packages of a locked file into the virtual environment, then checks that they can be imported:
#   sh scripts/packages.sh [--again] requirements-x.txt 'import x'
# --again installs them even where they are installed. The exit code is 0 when the import works.

set -u
unset CDPATH PYTHONHOME PYTHONPATH PYTHONUSERBASE PYTHONSTARTUP PYTHONINSPECT PYTHONSAFEPATH PYTHONPLATLIBDIR \
    PYTHONWARNINGS PYTHONOPTIMIZE PYTHONEXECUTABLE __PYVENV_LAUNCHER__
cd -- "$(dirname -- "$0")/.." || exit 1

again=
[ "$1" != --again ] || { again=--force-reinstall; shift; }
file=$1
check=$2
venv=.venv

die() {
    printf 'packages: %s\n' "$*" >&2
    exit 1
}

# Of the user's pip settings, only those stay in force that say where packages come from and how they are reached. Others
# would put them somewhere else (target, prefix, user, root, python), or nowhere (dry-run), or choose other files.
for name in $(env | sed -n 's/^\(PIP_[A-Za-z0-9_]*\)=.*/\1/p'); do
    case $name in
        PIP_INDEX_URL | PIP_EXTRA_INDEX_URL | PIP_NO_INDEX | PIP_FIND_LINKS | PIP_TRUSTED_HOST | PIP_CERT) ;;
        PIP_CLIENT_CERT | PIP_PROXY | PIP_TIMEOUT | PIP_DEFAULT_TIMEOUT | PIP_RETRIES | PIP_KEYRING_PROVIDER) ;;
        PIP_CACHE_DIR | PIP_NO_CACHE_DIR | PIP_CONFIG_FILE | PIP_QUIET) ;;
        *) unset "$name" ;;
    esac
done
# These go before their configuration file. Without PEP 517, Debian's pip cannot build sources with a setup.py.
export PIP_CONSTRAINT=/dev/null PIP_NO_BINARY=:none: PIP_ONLY_BINARY=:none: PIP_USE_PEP517=1 PIP_NO_INPUT=1 PIP_USER=0
export PIP_DISABLE_PIP_VERSION_CHECK=1

build=
wheels=$venv/.wheels-$$
trap 'rm -rf "$wheels" ${build:+"$build"}' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
# What a killed run has left.
for old in "$venv"/.wheels-*; do
    kill -0 "${old##*-}" 2>/dev/null || rm -rf "$old"
done
mkdir "$wheels" || die "cannot write in $(pwd)/$venv"

# Cairo's and Pango's bindings are compiled here, and their build tool cannot take an apostrophe in the path of the
# interpreter. So all wheels are made through a link with a plain name, and installed under the real one.
build=$(mktemp -d "${TMPDIR:-/tmp}/attention-films.XXXXXX") || die "cannot write in ${TMPDIR:-/tmp}; TMPDIR chooses another folder"
ln -s "$(pwd)" "$build/checkout" || die "cannot make a link in $build"
"$build/checkout/$venv/bin/python" -m pip wheel --no-deps --require-hashes -r "$file" -w "$wheels" \
    || die "cannot fetch and build the packages of $file; see the lines above (network? disk?)"

# Their hashes were checked on the way in. Now only that folder is looked at, whatever pip's settings say.
sed -n 's/^\([a-zA-Z0-9].*[^ ]\) *\\$/\1/p' "$file" >"$wheels/names.txt"
PIP_CONFIG_FILE=/dev/null "$venv/bin/python" -m pip --isolated --disable-pip-version-check ${PIP_QUIET:+--quiet} install \
    $again --no-index --no-deps --find-links "$wheels" -r "$wheels/names.txt" \
    || die "cannot install the packages of $file; see the lines above (disk?)"
"$venv/bin/python" -c "$check" || die "the packages of $file are installed but cannot be imported; see the lines above"
