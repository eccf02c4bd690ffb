#!/bin/sh
# Installs what speaks a language into the virtual environment: sh scripts/voice.sh [--try] [en|zh]
# Without a language, that of media_config.yaml. With --try (before films are made) nothing is said and nothing fails:
# films are silent then, and say so. The log of the last installation is .venv/voice.log.

set -u
unset CDPATH PYTHONHOME PYTHONPATH
cd -- "$(dirname -- "$0")/.." || exit 1

try=
[ "${1:-}" != --try ] || { try=yes; shift; }
language=${1:-$(sed -n 's/^language: *\([a-z]*\).*/\1/p' media_config.yaml 2>/dev/null)}
# What another name means is for the scripts to say.
case $language in
    en | zh) ;;
    *) [ -z "$try" ] || exit 0; printf 'voice: read "%s"; write LANGUAGE=en or LANGUAGE=zh\n' "$language" >&2; exit 2 ;;
esac

python=.venv/bin/python
wanted=requirements-voice-$language.txt
stamp=.venv/.voice-$language
log=.venv/voice.log

again=
if [ "$(cat "$stamp" 2>/dev/null)" = "$(cksum <"$wanted")" ]; then
    [ -z "$try" ] || exit 0
    # Whoever asks for it again wants it mended.
    again=--force-reinstall
fi
# A language that is silent, or speaks through a program of the user's, needs nothing.
engine=$(awk '/^[a-z]/ { part = $1 } /^  [a-z]/ { inner = $1 }
    part == "narration:" && inner == "engine:" && $1 == "'"$language"':" { print $2 }' media_config.yaml 2>/dev/null)
case $try$engine in yessilent | yescommand) exit 0 ;; esac

# Everything but NumPy, which is there. jieba is built from its source.
: >"$log"
[ -n "$try" ] || printf 'voice: installing from %s\n' "$wanted"
# While films wait for it, an unreachable registry is given up early.
if PIP_CONSTRAINT=/dev/null PIP_USER=0 PIP_USE_PEP517=1 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    "$python" -m pip install ${try:+--retries 1 --timeout 10} $again --no-deps --require-hashes -r "$wanted" \
    >>"$log" 2>&1 </dev/null; then
    cksum <"$wanted" >"$stamp.part" && mv "$stamp.part" "$stamp"
elif [ -z "$try" ]; then
    tail -n 5 "$log" | sed 's/^/    /' >&2
    printf 'voice: the packages of %s cannot be had: look at the lines above (network? disk?); films stay silent\n' \
        "$wanted" >&2
    exit 1
fi
