"""
Builds networks of full size with random weights, in f32 and quantized: files in build/networks.

    pip install torch torchvision timm transformers onnx onnxscript onnxruntime openvino nncf
    python bench/build_networks.py [NAME …]

NNCF quantizes what OpenVINO and lowstream read, ONNX Runtime what it reads itself (`quantize_static`, QDQ, weights for
each channel); both are calibrated with two random inputs. `bench/run.py --only many` measures what there is.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

NEEDED = "torch torchvision timm transformers onnx onnxscript onnxruntime openvino nncf"

try:
    import nncf  # pyright: ignore[reportMissingImports]
    import onnxruntime.quantization as ort  # pyright: ignore[reportMissingImports]
    import openvino as ov
    import timm  # pyright: ignore[reportMissingImports]
    import torch
    import torch_large as large
    import transformers as hf  # pyright: ignore[reportMissingImports]
    from torchvision import models  # pyright: ignore[reportMissingImports]
except ImportError as error:
    sys.exit(
        f"Building networks needs {error.name}: pip install {NEEDED}, "
        "in an environment of its own if this one shall stay small"
    )

FOLDER = Path(__file__).parents[1] / "build" / "networks"

Network = tuple[Any, Any]
"""A module and an example of its input."""


class Result(torch.nn.Module):
    """One result of a model that has several."""

    def __init__(self, model: Any, key: str):
        super().__init__()
        self.model, self.key = model, key

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)[self.key]


def image(model: Any, size: int = 224) -> Network:
    return model, torch.randn(1, 3, size, size)


def text(model: Any, length: int) -> Network:
    return Result(model, "last_hidden_state"), torch.randint(0, 1000, (1, length))


def deeplab() -> Network:
    model = models.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None)
    return image(Result(model, "out"))


def whisper() -> Network:
    encoder = hf.models.whisper.modeling_whisper.WhisperEncoder(hf.WhisperConfig())
    return Result(encoder, "last_hidden_state"), torch.randn(1, 80, 3000)


def vision(name: str) -> Callable[[], Network]:
    return lambda: image(getattr(models, name)(weights=None))


NETWORKS: dict[str, Callable[[], Network]] = {
    "ResNet-18": vision("resnet18"),
    "ResNeXt-50": vision("resnext50_32x4d"),
    "EfficientNet-B0": vision("efficientnet_b0"),
    "DenseNet-121": vision("densenet121"),
    "RegNetY-400MF": vision("regnet_y_400mf"),
    "MobileNetV3": vision("mobilenet_v3_large"),
    "ShuffleNetV2": vision("shufflenet_v2_x1_0"),
    "GoogLeNet": lambda: image(
        models.googlenet(weights=None, aux_logits=False, init_weights=False)
    ),
    "ConvNeXt-T": vision("convnext_tiny"),
    "U-Net": lambda: image(large.LargeUNet(), 256),
    "DeepLabV3": deeplab,
    "PP-OCR-like detection": lambda: (large.TextDetector(), torch.randn(1, 3, 480, 640)),
    "CRNN": lambda: (large.TextRecognizer(), torch.randn(1, 1, 32, 100)),
    "ViT-tiny": lambda: image(timm.create_model("vit_tiny_patch16_224")),
    "Swin-T": lambda: image(timm.create_model("swin_tiny_patch4_window7_224")),
    "BERT-base": lambda: text(hf.BertModel(hf.BertConfig()), 128),
    "GPT-2 block": lambda: text(hf.GPT2Model(hf.GPT2Config(n_layer=1, use_cache=False)), 128),
    "Whisper-tiny encoder": whisper,
    "conv-TasNet": lambda: (large.Separator(), torch.randn(1, 1, 8000)),
    "DPRNN": lambda: (large.DualPath(), torch.randn(1, 1, 8008)),
    "DeepSpeech": lambda: (large.DeepSpeech(), torch.randn(1, 16, 494)),
    "BiLSTM": lambda: (large.TwoWays(), torch.randn(1, 100, 80)),
}
TRANSFORMERS = ("ViT-tiny", "Swin-T", "BERT-base", "GPT-2 block", "Whisper-tiny encoder")
"""Those that NNCF quantizes as transformers."""


class Calibration(ort.CalibrationDataReader):
    """What ONNX Runtime reads inputs from."""

    def __init__(self, name: str, data: list[Any]):
        self.feeds = iter([{name: each} for each in data])

    def get_next(self) -> Any:
        return next(self.feeds, None)


def like(x: Any, seed: int) -> Any:
    """An input of the example's kind."""
    random = torch.Generator().manual_seed(seed)
    if x.is_floating_point():
        return torch.randn(x.shape, generator=random).numpy()
    return torch.randint(0, 1000, x.shape, generator=random).numpy()


def build(name: str, folder: Path) -> None:
    """Writes `NAME.f32.onnx`, `NAME.f32.xml`, `NAME.int8.onnx` and `NAME.int8.xml`."""
    torch.manual_seed(0)
    module, example = NETWORKS[name]()
    module.eval()
    plain, ready, low = (folder / f"{name}.{kind}.onnx" for kind in ("f32", "ready", "int8"))
    with torch.no_grad():
        torch.onnx.export(module, (example,), plain, verbose=False, external_data=False)
    model = ov.Core().read_model(plain)
    ov.save_model(model, folder / f"{name}.f32.xml", compress_to_fp16=False)
    data = [like(example, seed) for seed in (1, 2)]
    port = model.inputs[0].any_name
    ort.quant_pre_process(plain, ready, skip_symbolic_shape=True)
    ort.quantize_static(
        ready, low, Calibration(port, data), per_channel=True, weight_type=ort.QuantType.QInt8
    )
    ready.unlink()
    kind = {"model_type": nncf.ModelType.TRANSFORMER} if name in TRANSFORMERS else {}
    quantized = nncf.quantize(
        model, nncf.Dataset(data, lambda x: {port: x}), subset_size=len(data), **kind
    )
    ov.save_model(quantized, folder / f"{name}.int8.xml", compress_to_fp16=False)


def main() -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    nncf.set_log_level(logging.ERROR)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or NETWORKS:
        if name not in NETWORKS:
            sys.exit(f"{name} is none of the networks: {', '.join(NETWORKS)}")
        if sys.argv[1:] or not (FOLDER / f"{name}.int8.xml").is_file():
            build(name, FOLDER)
            print(f"Written: {name}", flush=True)


if __name__ == "__main__":
    main()
