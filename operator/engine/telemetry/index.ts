export { DeadlineError, withDeadline } from './deadline.ts';
export { ResourceMetrics } from './exposition.ts';
export { about, createLogger, type LogLevel, type Logger } from './log.ts';
export { Metrics, type ReconcileResult } from './metrics.ts';
export type { MetricDefinition } from './registry.ts';
export { serveProbes } from './server.ts';
export { meterSync } from './sync-meter.ts';
export { untraced, type Span, type SpanAttributes, type Tracer } from './tracer.ts';
export { Watchdog, type Stretch } from './watchdog.ts';
