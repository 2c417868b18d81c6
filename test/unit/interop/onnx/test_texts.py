"""How often texts have n-grams."""

import numpy as np
import pytest
from onnx import TensorProto
from xdsl.utils.exceptions import DiagnosticException

from lowstream import read_model
from lowstream.test.unit.interop.onnx.graphs import INT64, check, model, node
from lowstream.test.unit.pairwise import each_pair

POOL = {
    "ngram_counts": [0, 4],
    "ngram_indexes": [0, 1, 2, 3, 4, 5, 6],
    "pool_int64s": [2, 3, 5, 4, 5, 6, 7, 8, 6, 7],
    "weights": [1.0, 2.0, 0.5, 3.0, 1.0, 4.0, 2.0],
}
TEXTS = np.array([[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]])


@each_pair(mode=["TF", "IDF", "TFIDF"], lengths=[(1, 1), (1, 2), (2, 2)], skips=[0, 1, 2, 5])
def test_n_grams_are_counted(mode: str, lengths: tuple[int, int], skips: int):
    """Two words of a text stand three apart, so that two are left out; of five, no two are apart in a text of six."""
    least, most = lengths
    how = {"min_gram_length": least, "max_gram_length": most, "max_skip_count": skips, "mode": mode}
    nodes = [
        node("TfIdfVectorizer", "texts", "whole", **POOL, **how),
        node("TfIdfVectorizer", "text", "one", **POOL, **how),
    ]
    inputs = {"texts": (INT64, ["n", "words"]), "text": (TensorProto.INT32, [6])}
    check(model(nodes, inputs, "whole one"), {"texts": TEXTS, "text": TEXTS[0].astype(np.int32)})


def test_words_that_are_strings_are_refused():
    how = {"min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "mode": "TF"}
    pool = {"ngram_counts": [0], "ngram_indexes": [0], "pool_strings": ["a"]}
    proto = model([node("TfIdfVectorizer", "x", "y", **pool, **how)], {"x": (INT64, [6])}, "y")
    with pytest.raises(DiagnosticException, match="its pool holds strings; use pool_int64s"):
        read_model(proto)


@pytest.mark.parametrize("places", [[0, 1, 2], [0, 1, 2, 3, 4, 5, 6, 7]])
def test_a_pool_has_a_place_for_each_n_gram(places: list[int]):
    how = {"min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 0, "mode": "TF"}
    words = node("TfIdfVectorizer", "x", "y", **(POOL | how | {"ngram_indexes": places}))
    with pytest.raises(DiagnosticException, match="its pool has other n-grams than places"):
        read_model(model([words], {"x": (INT64, [6])}, "y"))
