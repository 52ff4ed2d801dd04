"""Fits a line on all ranks, by torchrun or without it, saves what it has, and resumes from the newest that any attempt saved.

STEPS, STEP_SECONDS: how long it takes. SAVE_EVERY: steps from one checkpoint to the next. FAIL_RANK, FAIL_STEP: the rank that
ends with exit code 1 before this step, in the first attempt.
"""
import os
import pathlib
import signal
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

STEPS = int(os.environ.get("STEPS", "10"))
SECONDS = float(os.environ.get("STEP_SECONDS", "0.3"))
SAVE_EVERY = int(os.environ.get("SAVE_EVERY", "1"))
ATTEMPT = int(os.environ["TRUNNION_ATTEMPT"])

stopping = torch.zeros(1)
signal.signal(signal.SIGTERM, lambda *_: stopping.fill_(1))


def newest():
    root = pathlib.Path(os.environ["CHECKPOINT_ROOT"])
    saved = [file for file in root.glob("attempt-*/step-*.pt")]
    return max(saved, key=lambda file: int(file.stem.removeprefix("step-")), default=None)


def save(step, model, optimizer):
    folder = pathlib.Path(os.environ["CHECKPOINT_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / "partial"
    torch.save({"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, partial)
    partial.rename(folder / f"step-{step}.pt")


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = 1
file = newest()
if file is not None:
    saved = torch.load(file)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    first = saved["step"] + 1
print(f"rank {rank} of {world} begins with step {first} from {file and file.relative_to(file.parent.parent)}", flush=True)
parallel = DistributedDataParallel(model)

for step in range(first, STEPS + 1):
    if ATTEMPT == 1 and os.environ.get("FAIL_RANK") == str(rank) and os.environ.get("FAIL_STEP") == str(step):
        sys.exit(f"rank {rank} fails before step {step}, as it was told")
    time.sleep(SECONDS)
    inputs = torch.randn(16, 4)
    loss = torch.nn.functional.mse_loss(parallel(inputs), inputs.sum(1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    # All stop after the same step: one that stopped alone would leave the others waiting for it.
    stop = stopping.clone()
    dist.all_reduce(stop, dist.ReduceOp.MAX)
    if rank == 0:
        print(f"step {step} of {STEPS}, {world} ranks, loss={loss.item():.4f}", flush=True)
    if rank == 0 and (stop.item() > 0 or step % SAVE_EVERY == 0):
        save(step, model, optimizer)
    if stop.item() > 0:
        print(f"rank {rank} was told to stop after step {step}", flush=True)
        sys.exit(143)

if rank == 0:
    print("trained", flush=True)
dist.destroy_process_group()
