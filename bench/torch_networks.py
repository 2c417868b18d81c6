"""
Networks of PyTorch, read from the module and from its ONNX export, against PyTorch itself: the table of
docs/networks.md.

    pip install torch timm transformers onnxscript openvino
    python bench/torch_networks.py [NAME …]

Weights are random; architectures are the published ones, with fewer layers and channels where that says as much.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import timm  # pyright: ignore[reportMissingImports]
import torch
import transformers as hf  # pyright: ignore[reportMissingImports]
from torch_modules import DeepLab, Tacotron, UNet, Vad, Yolo

import lowstream

TOLERANCE = 1e-4
"""The largest difference to PyTorch, as a part of its largest number."""

TEXT = {
    "vocab_size": 100,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
SOUND = {
    **TEXT,
    "conv_dim": (32, 32),
    "conv_stride": (5, 4),
    "conv_kernel": (10, 8),
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 4,
}
Network = tuple[Any, Any]
"""A module and an example of its inputs."""


def image(name: str, size: int = 64, **options: Any) -> Network:
    return timm.create_model(name, **options), torch.randn(1, 3, size, size)


def tokens(model: Any, length: int = 12, **inputs: Any) -> Network:
    return First(model, **inputs), torch.randint(0, 100, (1, length))


class First(torch.nn.Module):
    """A model's first result as its only one; `options` are further arguments."""

    def __init__(self, model: Any, **options: Any):
        super().__init__()
        self.model, self.options = model, options

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x, return_dict=False, **self.options)[0]


def whisper() -> Network:
    config = hf.WhisperConfig(
        d_model=64, encoder_layers=2, encoder_attention_heads=4, max_source_positions=50
    )
    encoder = hf.models.whisper.modeling_whisper.WhisperEncoder(config)
    return First(encoder), torch.randn(1, config.num_mel_bins, 100)


def llama() -> Network:
    config = hf.LlamaConfig(**TEXT, num_key_value_heads=2)
    return tokens(hf.LlamaForCausalLM(config), use_cache=False)


def gpt2() -> Network:
    config = hf.GPT2Config(vocab_size=100, n_embd=64, n_layer=2, n_head=4, n_positions=32)
    return tokens(hf.GPT2LMHeadModel(config), use_cache=False)


def distilbert() -> Network:
    config = hf.DistilBertConfig(vocab_size=100, dim=64, hidden_dim=128, n_layers=2, n_heads=4)
    return tokens(hf.DistilBertModel(config))


NETWORKS: dict[str, Callable[[], Network]] = {
    "ResNet-18": lambda: image("resnet18", zero_init_last=False),
    "MobileNetV3": lambda: image("mobilenetv3_small_100"),
    "EfficientNet-B0": lambda: image("efficientnet_b0"),
    "ViT": lambda: image("vit_tiny_patch16_224", img_size=64, depth=2),
    "Swin": lambda: image(
        "swin_tiny_patch4_window7_224",
        img_size=64,
        window_size=4,
        embed_dim=32,
        depths=(2, 2),
        num_heads=(2, 4),
    ),
    "BERT": lambda: tokens(hf.BertModel(hf.BertConfig(**TEXT))),
    "DistilBERT": distilbert,
    "GPT-2": gpt2,
    "Llama": llama,
    "Whisper encoder": whisper,
    "wav2vec 2.0": lambda: (
        First(hf.Wav2Vec2Model(hf.Wav2Vec2Config(**SOUND))),
        torch.randn(1, 2000),
    ),
    "Conformer": lambda: (
        First(hf.Wav2Vec2ConformerModel(hf.Wav2Vec2ConformerConfig(**SOUND))),
        torch.randn(1, 2000),
    ),
    "YOLOv8-like": lambda: (Yolo(), torch.randn(1, 3, 64, 64)),
    "DeepLabV3": lambda: (DeepLab(), torch.randn(1, 3, 128, 128)),
    "U-Net": lambda: (UNet(), torch.randn(1, 1, 48, 52)),
    "Silero-like VAD": lambda: (Vad(), (torch.randn(1, 576), torch.randn(2, 1, 32))),
    "Tacotron-like loop": lambda: (Tacotron(), torch.randint(0, 30, (1, 9))),
}


def read(module: Any, example: Any) -> lowstream.Model:
    return lowstream.read_model(module, example_input=example)


def read_export(module: Any, example: Any) -> lowstream.Model:
    inputs = example if isinstance(example, tuple) else (example,)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        torch.onnx.export(module, inputs, file, verbose=False, external_data=False)
        return lowstream.read_model(file)


def outcome(reader: Callable[[Any, Any], lowstream.Model], module: Any, example: Any) -> str:
    """The error, or why there is none."""
    inputs = example if isinstance(example, tuple) else (example,)
    with torch.no_grad():
        wanted = module(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    try:
        with torch.no_grad():
            request = lowstream.compile_model(reader(module, example)).create_infer_request()
        results = request.infer({i: each.numpy() for i, each in enumerate(inputs)})
    except Exception as error:  # noqa: BLE001 (whatever fails belongs into the table)
        message = next(iter(str(error).strip().splitlines()), "")
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return f"fails: {message[:MESSAGE]}"
    error = max(
        float(np.abs(np.asarray(results[i]) - each.numpy()).max() / each.abs().max())
        for i, each in enumerate(wanted)
    )
    return f"{error:.0e}" if error <= TOLERANCE else f"**differs by {error:.0e}**"


MESSAGE = 160
"""How many characters of a message stand in the table."""


def main() -> None:
    warnings.simplefilter("ignore")
    print("| network | from torch | from ONNX |\n|---|---|---|")
    for name in sys.argv[1:] or NETWORKS:
        torch.manual_seed(0)
        module, example = NETWORKS[name]()
        module.eval()
        found = [outcome(reader, module, example) for reader in (read, read_export)]
        print(f"| {name} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
