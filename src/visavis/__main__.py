"""``python -m visavis`` is ``visavis``."""

import sys

from visavis.cli import main

sys.exit(main())
