"""Without TensorFlow its tests are left out."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("tensorflow") and find_spec("tf_keras") else ["test_converter.py"]
