"""The chief and each worker of TensorFlow add one to a sum over all of them."""
import json
import os

import tensorflow as tf

cluster = json.loads(os.environ["TF_CONFIG"])["cluster"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()


@tf.function
def add():
    def one():
        return tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, tf.constant(1.0))

    return strategy.run(one)


total = strategy.experimental_local_results(add())[0]
print(f"tasks={sum(map(len, cluster.values()))} sum={int(total)}", flush=True)
