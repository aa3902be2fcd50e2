"""Will it fit: the GPU memory that a model needs, the sizes that hold it, and how far published figures agree.

`need` works out the parts of the need, `room` what a GPU has to give, `hold` which sizes hold it and up to where,
`check` compares the formula with published load figures. Memory is in bytes inside, in GiB where a name says so.
"""
