export {
  autoscaler,
  deploymentTarget,
  type Behavior,
  type PrometheusQuery,
  type ScaleTarget,
  type Trigger,
} from './autoscaling.ts';
export { disruptionBudget } from './disruption.ts';
export {
  authenticationOf,
  prometheusTrigger,
  triggerAuthentication,
  type TriggerAuthenticationSpec,
} from './prometheus.ts';
export { rollingUpdate } from './rollout.ts';
