export {
  ACCELERATORS,
  AMD,
  OTHER_VENDORS,
  PRODUCT_LABELS,
  acceleratorNodeSelector,
  acceleratorOf,
  acceleratorTolerations,
  resourceRequirements,
  type Accelerator,
  type BaseResources,
  type Resources,
} from './accelerators.ts';
export {
  HOME,
  HOME_ENV,
  HOME_MOUNTS,
  HOME_VOLUMES,
  NVIDIA_DEVICES,
  SHARED_MEMORY_MOUNT,
  SHARED_MEMORY_VOLUME,
  secure,
  type Security,
} from './pod-security.ts';
export { mergePodTemplate, type PodTemplatePatch } from './pod-template.ts';
export { PULL_SECONDS, STARTUP_BUDGET, probes, rolloutBudget, type ProbeAction } from './probes.ts';
export { serviceAccount } from './service-account.ts';
export { SETTLE_SECONDS, drainByMetrics, drainBySleep, gracePeriodSeconds, type InFlight } from './termination.ts';
