"""A model behind HTTP, by KServe's open inference protocol, version 2 (https://kserve.github.io/website/)."""
