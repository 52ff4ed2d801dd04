import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { DistributedTraining } from '../../constructs/index.ts';
import { restrictedNamespace } from './namespace.ts';

/** What a research team trains: one program on as many pods as the cluster has room for. */
export class Trainings extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const namespace = 'training';
    restrictedNamespace(this, namespace);

    new DistributedTraining(this, 'resnet', {
      name: 'resnet',
      namespace,
      spec: {
        framework: 'pytorch',
        image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
        command: ['torchrun', 'train.py'],
        replicas: 4,
        elastic: { minReplicas: 2, maxReplicas: 8 },
        resources: { gpu: 1, cpu: '4', memory: '16Gi' },
        hyperparameters: { BATCH_SIZE: '32', LEARNING_RATE: '0.001', EPOCHS: '100' },
        checkpoint: { uri: 's3://ml-checkpoints/resnet/', credentials: { secretName: 's3-writer' }, graceSeconds: 60 },
        activeDeadlineSeconds: 86_400,
      },
    });
  }
}
