"""Visavis: a home for two-player strategy games."""
