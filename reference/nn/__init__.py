"""The meaning of the `nn` dialect, in files as the dialect is."""

from ...dialects.tables import import_modules

import_modules(__name__)
