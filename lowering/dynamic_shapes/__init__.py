"""Laws and rewrites of `bound-dynamic-shapes`, for values whose size is only known at run time."""
