import { stubCuda } from './cuda-stubs.ts';
import type { PythonImage } from './python.ts';

/** PyTorch and JAX, both for processors alone: ranks talk by gloo. */
export const TRAINER: PythonImage = {
  name: 'docker.io/library/trunnion-trainer:real',
  // What PyTorch is linked to.
  packages: ['python3', 'libgomp1'],
  requirements: 'trainer',
  adapt: { version: 1, packages: stubCuda },
};

/** TensorFlow, for processors alone. */
export const TENSORFLOW: PythonImage = {
  name: 'docker.io/library/trunnion-tensorflow:real',
  packages: ['python3'],
  requirements: 'tensorflow',
};
