"""The numbers: attention, positional encoding and the worked example, in NumPy alone."""
