"""
Image networks of timm and language models of Transformers, one of each family, against PyTorch, OpenVINO and ONNX
Runtime: the first table of docs/more_networks.md.

    pip install torch timm transformers onnx onnxruntime openvino
    python bench/wide_networks.py [NAME …]

Weights are random. Each network is exported by `torch.onnx.export` (images by the older exporter, which is faster),
compiled in a process of its own, and the runtimes take turns there, on one thread.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as hf  # pyright: ignore[reportMissingImports]
from many_networks import medians_in_turns
from torch_networks import TEXT, Network, image, tokens

import lowstream
from lowstream.tools import peers
from lowstream.tools.peers import Infer

IMAGES = {
    256: "mobilevit_xxs mobilevitv2_050 fastvit_t8 edgenext_xx_small maxvit_pico_rw_256 lambda_resnet26t halonet26t "
    "botnet26t_256",
    240: "crossvit_tiny_240",
    224: "efficientformerv2_s0 repvit_m0_9 ghostnetv2_100 levit_128s mixer_s32_224 gmlp_ti16_224 resmlp_12_224 "
    "coatnet_nano_rw_224 xcit_nano_12_p16_224 pvt_v2_b0 hrnet_w18_small dla34 dpn48b resnest14d skresnet18 "
    "ese_vovnet19b_dw visformer_tiny gcvit_xxtiny hiera_tiny_224 inception_next_atto starnet_s1 mambaout_femto "
    "tiny_vit_5m_224 efficientvit_b0 efficientvit_m0 eva02_tiny_patch14_224 vitamin_small_224 pit_ti_224 convit_tiny "
    "coat_lite_tiny mobilenetv4_conv_small nest_tiny shvit_s1 hgnetv2_b0 gernet_s lcnet_050 mixnet_s fbnetv3_b "
    "hardcorenas_a selecsls42b repghostnet_050 repvgg_a0 mobileone_s0 seresnext26t_32x4d ecaresnet26t",
    128: "poolformerv2_s12 dm_nfnet_f0 res2net50_26w_4s xception41 cspdarknet53 nextvit_small rdnet_tiny tresnet_m",
    96: "nasnetalarge convmixer_768_32",
}
"""Networks of timm by the size of their images."""

DECODERS = (
    "Mistral",
    "Qwen2",
    "Qwen3",
    "Gemma",
    "Gemma2",
    "Phi3",
    "Phi",
    "StableLm",
    "Olmo2",
    "Starcoder2",
    "Cohere",
    "Granite",
    "SmolLM3",
    "Glm4",
    "Nemotron",
    "Helium",
    "Arcee",
    "Falcon",
    "GPTNeoX",
)
"""Language models of Transformers, in two layers of 64 channels."""

HEADS_OF_16 = ("Qwen3", "Gemma", "Gemma2", "Glm4", "Helium")
SECONDS = 1.0
LIMIT = 400
"""Seconds: in turns, and after which a process is ended."""


def decoder(name: str) -> Network:
    sizes: dict[str, Any] = {**TEXT, "pad_token_id": 0}
    if name not in ("Falcon", "GPTNeoX"):
        sizes["num_key_value_heads"] = 2
    if name in HEADS_OF_16:
        sizes["head_dim"] = 16
    model = getattr(hf, f"{name}ForCausalLM")(getattr(hf, f"{name}Config")(**sizes))
    return tokens(model, use_cache=False)


def row(name: str, folder: Path) -> str:
    """The network's line of the table."""
    torch.manual_seed(0)
    size = next((size for size, names in IMAGES.items() if name in names.split()), None)
    module, x = decoder(name) if size is None else image(name, size)
    path = folder / "model.onnx"
    module.eval()
    with torch.no_grad():
        wanted = module(x).numpy()
        if size is None:
            torch.onnx.export(module, (x,), path, verbose=False, external_data=False)
        else:
            torch.onnx.export(module, (x,), path, dynamo=False, opset_version=17)
    began = time.process_time()
    compiled = lowstream.compile_model(path, num_threads=1)
    compiling = time.process_time() - began
    request, inputs = compiled.create_infer_request(), [x.numpy()]
    request.set_tensor(0, inputs[0])
    error = float(np.abs(np.asarray(request.infer()[0]) - wanted).max() / np.abs(wanted).max())
    calls: list[Infer] = [
        request.infer,
        peers.openvino(path, inputs, 1, stateful=False),
        peers.onnxruntime(path, inputs, 1, stateful=False),
    ]
    ours, *theirs = (each / 1000 for each in medians_in_turns(calls, SECONDS))
    others = " | ".join(f"{each:.3g}" for each in theirs)
    return f"| {name} | {error:.0e} | {ours:.3g} | {others} | {min(theirs) / ours:.2f} | {compiling:.1f} |"


def main() -> None:
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--alone"]:
        with tempfile.TemporaryDirectory() as folder:
            print(row(sys.argv[2], Path(folder)))
        return
    print("| network | error | ms | OpenVINO | ONNX Runtime | best by ours | compiling, s |")
    print("|---" * 7 + "|")
    for name in sys.argv[1:] or [*" ".join(IMAGES.values()).split(), *DECODERS]:
        command = [sys.executable, __file__, "--alone", name]
        try:
            said = subprocess.run(command, capture_output=True, timeout=LIMIT, text=True)
            lines = said.stdout.splitlines() if said.returncode == 0 else said.stderr.splitlines()
        except subprocess.TimeoutExpired:
            lines = [f"takes more than {LIMIT} s"]
        print(lines[-1] if lines[-1].startswith("|") else f"| {name} | {lines[-1]} |", flush=True)


if __name__ == "__main__":
    main()
