"""Reads command lines as `vllm serve` does, without starting it: flags.py LINES, which is a list of lists of arguments in JSON.

Prints what vLLM makes of each, or its error, and the methods of speculative decoding. Of the models /tmp/dense and /tmp/experts it makes
the whole configuration, for which it needs no weights.
"""

import json
import os
import sys
from typing import get_args

from vllm import AsyncEngineArgs
from vllm.config.speculative import SpeculativeMethod
from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
from vllm.utils.argparse_utils import FlexibleArgumentParser

SHAPE = {
    "hidden_size": 4096,
    "intermediate_size": 64,
    "num_attention_heads": 64,
    "num_key_value_heads": 64,
    "head_dim": 64,
    "num_hidden_layers": 16,
    "vocab_size": 64,
    "max_position_embeddings": 128,
    "torch_dtype": "bfloat16",
}
MODELS = {
    "/tmp/dense": {"model_type": "llama", "architectures": ["LlamaForCausalLM"]},
    "/tmp/experts": {
        "model_type": "qwen3_moe",
        "architectures": ["Qwen3MoeForCausalLM"],
        "num_experts": 64,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 64,
    },
}


def made(args):
    config = AsyncEngineArgs.from_cli_args(args).create_engine_config(headless=args.headless).parallel_config
    names = (
        "nnodes",
        "node_rank",
        "nnodes_within_dp",
        "node_rank_within_dp",
        "world_size",
        "local_world_size",
        "data_parallel_size",
        "data_parallel_size_local",
        "data_parallel_rank",
        "data_parallel_master_ip",
        "data_parallel_rpc_port",
        "master_addr",
        "master_port",
        "enable_expert_parallel",
        "distributed_executor_backend",
    )
    return {name: getattr(config, name) for name in names}


def read(line):
    try:
        args = make_arg_parser(FlexibleArgumentParser()).parse_args(line)
        validate_parsed_serve_args(args)
        args.model = args.model_tag
        known = {"port": args.port, "host": args.host, "headless": args.headless}
        return {**known, "parallel": made(args)} if args.model in MODELS else known
    except (Exception, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def flat(literal):
    inner = get_args(literal)
    return [literal] if not inner else [one for each in inner for one in flat(each)]


for folder, more in MODELS.items():
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/config.json", "w") as file:
        json.dump({**SHAPE, **more}, file)

print(json.dumps({"lines": [read(line) for line in json.loads(sys.argv[1])], "methods": flat(SpeculativeMethod)}))
