"""Each process of JAX adds its number to a sum over all of them."""
import os

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

jax.distributed.initialize(
    num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
    process_id=int(os.environ["JAX_PROCESS_ID"]),
)
numbers = multihost_utils.process_allgather(jnp.array([jax.process_index() + 1]))
print(f"processes={jax.process_count()} devices={jax.device_count()} sum={int(numbers.sum())}", flush=True)
