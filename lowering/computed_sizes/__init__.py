"""What has a size that only the run can tell: laws and rewrites of `bound-computed-sizes`."""
