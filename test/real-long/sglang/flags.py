"""Reads command lines as `python3 -m sglang.launch_server` does, without starting it: flags.py PACKAGES LINES, where PACKAGES is the folder
of SGLang, and LINES a list of lists of arguments in JSON.

Prints for each what SGLang makes of it, with the ranks of the pod, or its error. Only what reads arguments is SGLang's own: all other
modules, PyTorch among them, are stubs, so that its dependencies need not be there.
"""

import argparse
import ast
import dataclasses
import importlib.abc
import importlib.machinery
import json
import os
import sys
import types

PACKAGES, LINES = sys.argv[1:]
PARENTS = ("sglang", "sglang.srt", "sglang.srt.utils")
OWN = ("sglang.srt.server_args", "sglang.srt.arg_groups", "sglang.srt.utils.network", "sglang.srt.environ")


class Anything(type):
    """A class that has every attribute, and stands for every list and type."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub

    def __iter__(cls):
        return iter(())

    def __add__(cls, other):
        return other

    __radd__ = __or__ = __ror__ = __add__


class Stub(metaclass=Anything):
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return args[0] if args and callable(args[0]) else Stub()

    def __class_getitem__(cls, item):
        return cls

    def __getattr__(self, name):
        return getattr(Stub, name)

    def __iter__(self):
        return iter(())

    def __bool__(self):
        return False


class StubModule(types.ModuleType):
    __version__ = "9.9.9"

    def __getattr__(self, name):
        return getattr(Stub, name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.stdlib_module_names or any(f"{name}.".startswith(f"{own}.") for own in OWN):
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        if name in PARENTS:
            spec.submodule_search_locations = [os.path.join(PACKAGES, *name.split("."))]
        return spec

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        pass


def function(path, name):
    """A function of a file that can't be imported."""
    with open(os.path.join(PACKAGES, path)) as file:
        tree = ast.parse(file.read())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    space = {"Tuple": tuple}
    exec(compile(ast.fix_missing_locations(tree), path, "exec"), space)
    return space[name]


sys.path.insert(0, PACKAGES)
sys.meta_path.insert(0, Finder())

from sglang.srt.server_args import ServerArgs  # noqa: E402

rank_ranges = function("sglang/srt/entrypoints/engine.py", "_calculate_rank_ranges")


class Checked(Exception):
    """The end of the checks of parallelism: what comes after them needs the model and the GPUs."""


class Parallel(ServerArgs):
    """Arguments that no GPU and no model were asked about."""

    def __init__(self, args):
        for field in dataclasses.fields(ServerArgs):
            setattr(self, field.name, getattr(args, field.name, None))
        # As _pipeline_parallel_overlap_disable of srt/arg_groups/overrides.py sets it.
        self.disable_overlap_schedule = self.pp_size > 1

    def check_lora_server_args(self):
        raise Checked


def read(line):
    parser = argparse.ArgumentParser()
    ServerArgs.add_cli_args(parser)
    try:
        args = parser.parse_args(line)
        try:
            Parallel(args).check_server_args()
        except Checked:
            pass
    except (Exception, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    stages, splits, *_ = rank_ranges(args.nnodes, args.pp_size, args.tp_size, args.node_rank)
    return {
        "ranks": [stage * args.tp_size + split for stage in stages for split in splits],
        "tensor": args.tp_size,
        "pipeline": args.pp_size,
        "data": args.dp_size,
        "expert": args.ep_size,
        "sharesAttention": args.enable_dp_attention,
        "leader": args.dist_init_addr,
        "metrics": args.enable_metrics,
    }


print(json.dumps([read(line) for line in json.loads(LINES)]))
