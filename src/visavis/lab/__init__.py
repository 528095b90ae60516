"""The lab: self-play, kernels set against rules, measurements of games."""
