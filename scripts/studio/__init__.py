"""From lessons to files: configuration, plan, render, join, captions, article media, receipts."""
