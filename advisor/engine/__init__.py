"""All that the product knows and computes: plain Python, no Django, no network.

pandas imports pyarrow by itself wherever it is installed: a second and 35 MiB more at every start, and text columns of
another kind. Only readers/parquet.py needs it, so it cannot be seen until a Parquet file is read (docs/adr).
"""

import sys

sys.modules.setdefault("pyarrow", None)  # type: ignore[arg-type]  # what Python keeps for "not to be imported"
