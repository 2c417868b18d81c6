from typing import Any

assert_that: Any
