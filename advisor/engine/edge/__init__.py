"""GPUs on Azure Stack Edge devices: who gets the GPU, what fits, how it is shared, and what nvidia-smi says of it."""
