"""What needs Atheris, which is optional, is not looked through for tests."""

collect_ignore = ["coverage.py"]
