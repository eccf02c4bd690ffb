"""Reading finished films: their numbers and pictures of numbers, compared with a freshly built worked example."""
