"""What to do with files that people have and no reader takes, by ending."""

from __future__ import annotations

DOWNLOAD = "download the file itself"
PACKED = "unpack it, and give the file that it holds"

_MODULE = "load the module with PyTorch, then call read_model(module, example_input=…) or torch.onnx.export"
_GRAPHLESS = (
    "it holds weights without their graph; export the model that they are of with torch.onnx.export"
)
_OF_JAX = (
    "write the model with jax.experimental.jax2tf and tf.saved_model.save, and give that folder"
)
_REMOVED = "Model Optimizer of OpenVINO 2023.3, the last that takes it, writes an .xml of it: mo --input_model FILE"
_COMPILED = (
    "it was compiled for another runtime; give the model that it was made of, as .onnx or .tflite"
)
_BOOSTED = "load the model, and convert it with onnxmltools (convert_xgboost, convert_lightgbm)"
_CHECKPOINT = (
    "it holds a checkpoint's weights; load them into their model, and give that, or what it exports"
)

_ADVICE = {
    ".pt .pth .torchscript .ptl": _MODULE,
    ".ckpt .index .meta": _CHECKPOINT,
    ".bin": "these are the weights of the .xml beside it, so give that",
    ".data": "these are the weights of the .onnx beside it, so give that",
    ".safetensors": "it holds weights without their graph; give the .mlir beside it, or export the model that they are "
    "of with torch.onnx.export",
    ".gguf .ggml .npz .weights": _GRAPHLESS,
    ".pdiparams": "these are the weights of the .pdmodel beside it, so give that",
    ".json": "save a program of PaddlePaddle 3 as .pdmodel (FLAGS_enable_pir_api=0) or .onnx (paddle2onnx)",
    ".pbtxt": "write it as .pb: tf.io.write_graph(graph, folder, name, as_text=False)",
    ".textproto .onnxtxt .onnxjson": 'it is an ONNX model as text; onnx.save(onnx.load(path), "model.onnx") writes one',
    ".hdf5": "name it .h5 if Keras wrote it",
    ".tfl .lite": "name it .tflite if it is a LiteRT model",
    ".mlmodel .mlpackage .mlmodelc": "Core ML runs it on Apple's devices alone; give the model that coremltools made "
    "it of",
    ".caffemodel .prototxt .params .nnet .mdl": _REMOVED,
    ".stablehlo .mlirbc .hlo .msgpack .orbax": _OF_JAX,
    ".engine .plan .trt .om .rknn .hef .dlc .blob .xmodel .nb .mnn .param .vmfb .pte .kmodel .tmfile": _COMPILED,
    ".task": "it is an archive, of MediaPipe; unzip it, and give a .tflite that it holds",
    ".litertlm": "it is a bundle of LiteRT-LM; give a .tflite that it was made of",
    ".gz .tgz .bz2 .xz .7z .zip .tar .rar .mar": PACKED,
    ".nemo": 'restore the model with NeMo, and call model.export("model.onnx")',
    ".pkl .joblib .pickle .skops": "load the model, and convert it with skl2onnx or onnxmltools",
    ".ubj .xgb": _BOOSTED,
    ".cbm": 'load the model with CatBoost, and call model.save_model("model.onnx", format="onnx")',
}

_BY_ENDING = {ending: advice for endings, advice in _ADVICE.items() for ending in endings.split()}


def advice_about(ending: str) -> str:
    """What to do with a file of this ending; empty where nothing is known."""
    return _BY_ENDING.get(ending, "")
