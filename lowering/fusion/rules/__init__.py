"""The rules of fusion, a file each."""
