"""
Models in Google's Model Explorer: an extension of it that opens what lowstream reads, and puts times and errors on
layers.

    pip install ai-edge-model-explorer
    model-explorer model.xml --extensions=lowstream.tools.model_explorer

Without that package, `python -m lowstream.tools.model_explorer model.xml -o folder` writes the same as JSON files,
which Model Explorer opens anywhere: https://github.com/google-ai-edge/model-explorer/wiki.
"""
