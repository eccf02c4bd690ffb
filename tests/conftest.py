"""How properties are tried: the same examples in every run, and many others with --hypothesis-profile=wide."""

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("wide", max_examples=20_000, deadline=None)
settings.load_profile("same")
