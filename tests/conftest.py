"""How properties are tried: the same examples in every run, and many others with --hypothesis-profile=wide.

Films of the tests are silent, or speak through a program of a test: installed voices are left alone.
"""

import os

from hypothesis import settings

os.environ["ATTENTION_FILMS_VOICE"] = "silent"
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("wide", max_examples=20_000, deadline=None)
settings.load_profile("same")
