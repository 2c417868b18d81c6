"""Laws and rewrites of `bound-computed-sizes`, for values whose size is only known at run time."""
