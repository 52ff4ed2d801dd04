"""Reads arguments as `vllm serve` does, without starting it: flags.py ARGUMENT... Prints the methods of speculative decoding as well."""

import json
import sys
from typing import get_args

from vllm.config.speculative import SpeculativeMethod
from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
from vllm.utils.argparse_utils import FlexibleArgumentParser

parser = make_arg_parser(FlexibleArgumentParser())
parsed = parser.parse_args(sys.argv[1:])
validate_parsed_serve_args(parsed)


def flat(literal):
    inner = get_args(literal)
    return [literal] if not inner else [one for each in inner for one in flat(each)]


print(json.dumps({"port": parsed.port, "host": parsed.host, "methods": flat(SpeculativeMethod)}))
