"""Models of Keras 2 and 3 over images, signals and volumes: small ones with the layers of the well-known networks."""

from collections.abc import Callable
from typing import Any

import numpy as np

BATCH = 2

Build = Callable[[Any, Any], Any]


def _normalized(layers: Any, x: Any, activation: float | None = None) -> Any:
    x = layers.BatchNormalization()(x)
    return x if activation is None else layers.ReLU(activation or None)(x)


def inverted(layers: Any, x: Any) -> Any:
    """MobileNetV2: uneven padding, inverted residuals."""
    x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
    x = _normalized(layers, layers.Conv2D(4, 3, strides=2, use_bias=False)(x), 6.0)
    for strides in (1, 2):
        y = _normalized(layers, layers.Conv2D(8, 1, use_bias=False)(x), 6.0)
        y = layers.DepthwiseConv2D(3, strides=strides, padding="same", use_bias=False)(y)
        y = _normalized(layers, layers.Conv2D(4, 1)(_normalized(layers, y, 6.0)))
        x = layers.Add()([x, y]) if strides == 1 else y
    return layers.Dense(3, activation="softmax")(layers.GlobalAveragePooling2D()(x))


def residual(layers: Any, x: Any) -> Any:
    """ResNet: strides, the greatest of overlapping windows, a shortcut with weights."""
    x = _normalized(layers, layers.Conv2D(4, 5, strides=2, padding="same")(x), 0.0)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    y = _normalized(layers, layers.Conv2D(4, 3, padding="same")(x), 0.0)
    y = _normalized(layers, layers.Conv2D(6, 3, padding="same")(y))
    x = layers.ReLU()(layers.Add()([y, _normalized(layers, layers.Conv2D(6, 1)(x))]))
    return layers.Dense(3)(layers.Flatten()(layers.AveragePooling2D(2)(x)))


def branches(layers: Any, x: Any) -> Any:
    """Inception, DenseNet, Xception: branches side by side, groups, dilation, gates for channels."""
    a = layers.Conv2D(4, (1, 5), padding="same", activation="relu")(x)
    b = layers.SeparableConv2D(4, 3, padding="same", depth_multiplier=2)(a)
    c = layers.Conv2D(6, 3, padding="same", dilation_rate=2, groups=2)(a)
    d = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    x = layers.Concatenate()([a, b, c, d])
    gate = layers.GlobalAveragePooling2D(keepdims=True)(x)
    gate = layers.Conv2D(17, 1, activation="sigmoid")(layers.Conv2D(2, 1, activation="swish")(gate))
    return layers.Multiply()([x, gate])


def upward(layers: Any, x: Any) -> Any:
    """U-Net: down and up again, beside it what was cut off."""
    low = layers.Conv2D(4, 3, strides=2, padding="same")(x)
    low = layers.LeakyReLU(0.2)(low)
    a = layers.Conv2DTranspose(4, 3, strides=2, padding="same")(low)
    b = layers.UpSampling2D(2, interpolation="bilinear")(low)
    c = layers.Conv2DTranspose(3, (2, 3), strides=2)(low)
    c = layers.Cropping2D(((0, 0), (1, 0)))(c)
    d = layers.UpSampling2D(2)(low)
    return layers.Conv2D(2, 3, padding="valid")(layers.Concatenate()([a, b, c, d]))


def signal(layers: Any, x: Any) -> Any:
    """WaveNet: causal and dilated along time."""
    x = layers.Conv1D(4, 2, padding="causal", dilation_rate=2, activation="tanh")(x)
    x = layers.MaxPooling1D(2)(layers.DepthwiseConv1D(3, padding="same")(x))
    return layers.GlobalMaxPooling1D()(layers.LayerNormalization()(x))


def volume(layers: Any, x: Any) -> Any:
    """Three dimensions of space."""
    x = layers.Conv3D(3, 3, strides=(1, 2, 1), padding="same")(x)
    x = _normalized(layers, layers.MaxPooling3D(2, padding="same")(x), 0.0)
    return layers.AveragePooling3D(2)(x)


MODELS: dict[str, tuple[Build, tuple[int, ...]]] = {
    "inverted": (inverted, (10, 8, 3)),
    "residual": (residual, (15, 12, 3)),
    "branches": (branches, (6, 5, 3)),
    "upward": (upward, (6, 8, 3)),
    "signal": (signal, (9, 3)),
    "volume": (volume, (5, 6, 4, 2)),
}
"""By name, what is made of an input of which shape."""


def image_model(library: Any, name: str) -> Any:
    """The model, with weights, and statistics of the batches it never saw, that are the same each time."""
    build, shape = MODELS[name]
    library.utils.set_random_seed(7)
    x = library.Input(shape, batch_size=BATCH, name="x")
    model = library.Model(x, build(library.layers, x))
    random = np.random.default_rng(7)
    for layer in model.layers:
        if isinstance(layer, library.layers.BatchNormalization):
            layer.set_weights([random.uniform(0.5, 1.5, w.shape) for w in layer.get_weights()])
    return model
