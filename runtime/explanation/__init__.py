"""
Explanations: for each layer of a model its precision, what decided, what to change, and what that would gain and cost.

`rows` is the data, `text` and `html` show it, `build` makes it.
"""
