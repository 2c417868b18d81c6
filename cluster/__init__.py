"""Engines of others, which spread a model over processes and machines: Dask, Ray, Apache Beam."""
