"""Requests: the inputs, outputs and states of calls, and what a call does. The program is the compiled model's."""
