export { autoscaler, type Behavior, type PrometheusQuery, type Trigger } from './autoscaling.ts';
export { disruptionBudget } from './disruption.ts';
export {
  authenticationOf,
  prometheusTrigger,
  triggerAuthentication,
  type TriggerAuthenticationSpec,
} from './prometheus.ts';
export { rollingUpdate } from './rollout.ts';
