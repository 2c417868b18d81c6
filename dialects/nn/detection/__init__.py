"""Detection of objects: anchors, boxes, non-maximum suppression, and features of regions."""
