import type { Container } from '../objects/index.ts';

/**
 * Hides the GPUs of a node from a container that asks for none. NVIDIA's runtime gives a container those that this variable
 * names, and its images have `all` in it: on a node without a taint a pod would see GPUs that other pods compute on. `void`
 * stands for a container that the runtime leaves as it is (nvidia-container-toolkit, internal/config/image/devices.go).
 *
 * It stands above a variable of `envFrom`, whose keys nobody knows here: a Secret of tokens is no word about GPUs, and without
 * ours its container would see all of a node's. Who wants GPUs beside other pods' says so by `env`.
 *
 * What asks for an extended resource may get its GPUs by it; its device plugin sets the variable.
 */
export function withoutGpus(container: Container): Container {
  const { env = [], resources } = container;
  const asked = Object.keys({ ...resources?.requests, ...resources?.limits });
  const isSet = env.some(({ name }) => name === VARIABLE);
  if (isSet || asked.some((name) => name.includes('/'))) return container;
  return { ...container, env: [...env, { name: VARIABLE, value: 'void' }] };
}

const VARIABLE = 'NVIDIA_VISIBLE_DEVICES';
