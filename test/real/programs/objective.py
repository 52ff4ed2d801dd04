"""A trial of a search: its parameters are variables, and it prints its result among other lines."""
import math
import os

rate = float(os.environ["learningRate"])
batch = int(os.environ["batchSize"])
distance = math.log10(rate) - math.log10(0.003)
accuracy = 0.95 - 0.2 * distance**2 - 0.03 * abs(math.log2(batch) - 6)
for epoch in (1, 2, 3):
    print(f"\x1b[32mepoch {epoch}\x1b[0m loss=0.{epoch} val_accuracy={accuracy * epoch / 3:.4f}")
