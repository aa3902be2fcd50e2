"""What is believed of the speed model before any benchmark is read.

Every figure here is an assumption and broad: on the log scale a deviation of 1 is a factor of 2.7 either way. The
benchmarks move each as far as they can; docs/speed-model.md shows how far.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.engine.speed_time import Floats
from advisor.engine.speed_work import NETWORKS

# Mean and deviation of each parameter of the time model.
PRIOR: Mapping[str, tuple[float, float]] = {
    "bandwidth learning": (-1.0, 1.0),
    "bandwidth training": (0.0, 0.7),
    "bandwidth framework": (0.7, 0.7),  # an engine merges layers; one by one, each writes what the next one reads
    "bandwidth training-8gpu": (0.0, 0.5),
    "fixed training": (-3.5, 1.0),
    "fixed training-8gpu": (-3.5, 1.0),
    "fixed inference": (-2.5, 1.0),
    "fixed batch": (-1.0, 0.3),  # -1: a launch costs the same for any batch, so its share per item falls with it
    "fixed item": (-0.6, 0.4),  # layers are started as often for a large item, and a large one may have more of them
    "fixed framework": (0.7, 0.7),  # layers started one by one cost the host about twice what an engine costs it
    **{f"{side} {network}": (0.0, 0.7) for side in ("bandwidth", "fixed") for network in NETWORKS},
    "bandwidth llm-decode": (1.0, 1.0),
    "bandwidth llm batch": (-0.5, 0.3),  # the weights are read once for all sequences, the cache of each for itself
    "fixed llm-decode": (-1.0, 1.0),
    "bandwidth llm-prefill": (-0.5, 1.0),
    "fixed llm-prefill": (-4.0, 1.0),
    "bandwidth hpc-md": (-1.0, 1.0),
    "fixed hpc-md": (-1.0, 1.0),
}
NAMES = tuple(PRIOR)
MEANS: Floats = np.array([mean for mean, _deviation in PRIOR.values()])
VARIANCES: Floats = np.array([deviation**2 for _mean, deviation in PRIOR.values()])
# Several GPUs that train together without NVLink, against with it: 0.85 / 0.95, the assumption of sizing.
NO_NVLINK = float(np.log(0.85 / 0.95))
# Log variance of an effect: mean and deviation, so two variances in three lie within a factor of 4.5 of exp(-5). A
# broader belief lets one odd source decide how far all chips differ.
LOG_VARIANCE = (-5.0, 1.5)
