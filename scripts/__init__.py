"""What a user runs: thin commands that read their arguments and call the studio."""
