"""
`nn`: tensor computation with the semantics and attribute names of the OpenVINO opset, in snake_case.

Each operation is the newest version of its namesake; importers normalize older ones. What OpenVINO takes
as an input (axes, target shapes) is an operand here.
"""

from xdsl.ir import Dialect

from ..blob import BlobAttr
from ..tables import operations_of
from .activation import *
from .adaptive_pooling import *
from .attention import *
from .binary_convolution import *
from .bitwise import *
from .blocks import *
from .buckets import *
from .channel_normalization import *
from .classification import *
from .col2im import *
from .color import *
from .comparison import *
from .constant import *
from .conversion import *
from .convolution import *
from .ctc import *
from .ctc_loss import *
from .cumulative import *
from .deformable import *
from .detection.class_suppression import *
from .detection.deformable_roi import *
from .detection.detection_output import *
from .detection.detectron import *
from .detection.non_max_suppression import *
from .detection.prior_box import *
from .detection.proposals import *
from .detection.regions import *
from .detection.roi_pooling import *
from .detection.suppression import *
from .detection.yolo import *
from .elementwise import *
from .embedding import *
from .eye import *
from .fourier import *
from .functions import *
from .gather_tree import *
from .grid_sample import *
from .indexing import *
from .interpolate import *
from .inverse_error_function import *
from .linear_algebra import *
from .matrix import *
from .movement import *
from .non_zero import *
from .normalization import *
from .pooling import *
from .pooling_indices import *
from .random import *
from .rearrangement import *
from .reduce_windows import *
from .reduction import *
from .scatter import *
from .segments import *
from .selection import *
from .shape import *
from .short_time_fourier import *
from .sorting import *
from .strided_slice import *
from .trigonometry import *
from .unique import *
from .window import *

Nn = Dialect("nn", operations_of("nn", globals()), [BlobAttr])
