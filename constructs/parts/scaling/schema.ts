export { boundsInOrder, cpuPercent, replicaBounds, replicas } from './autoscaling.schema.ts';
export { prometheus, prometheusAccess, prometheusRules, type PrometheusServer } from './prometheus.schema.ts';
