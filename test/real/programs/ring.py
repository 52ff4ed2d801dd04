"""Each process of MPI tells where it runs; the first one prints what all of them have said."""
import os
import socket

from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank)
# From each to its neighbour, so that a packet goes from pod to pod.
left = world.sendrecv(world.rank, dest=(world.rank + 1) % world.size, source=(world.rank - 1) % world.size)
seen = world.gather((socket.gethostname(), os.getuid(), left))
if world.rank == 0:
    hosts = sorted({host for host, _, _ in seen})
    users = sorted({user for _, user, _ in seen})
    print(f"sum={total} left={[each for _, _, each in seen]} hosts={hosts} users={users}")
