"""One file a comparison. Each has ``rows()``, which prepares what it measures and yields `Row`."""
