import { ENGINE_TABLE } from '../../../constructs/model-serving/engine.table.ts';
import { repositoryOf } from '../../../constructs/model-serving/images.ts';
import type { Engine } from '../../../constructs/model-serving/engine.ts';

type MetricNames = NonNullable<Engine['metrics']>['names'];

const ENGINES: readonly Engine[] = Object.values(ENGINE_TABLE);

const named = (metric: keyof MetricNames): readonly string[] =>
  ENGINES.flatMap(({ metrics }) => metrics?.names[metric] ?? []);

/** What engines call the figures that our dashboard shows. */
export const ENGINE_METRICS = {
  running: named('running'),
  waiting: named('waiting'),
  kvCacheUsage: named('kvCacheUsage'),
  timeToFirstToken: named('timeToFirstToken'),
  interTokenLatency: named('interTokenLatency'),
};

/** The path of their metrics, which they all share. */
export const ENGINE_METRICS_PATH = '/metrics';

/** Images of engines that have no metrics on the port that they serve on, without registry and tag. */
export const SILENT_IMAGES: readonly string[] = [
  ...new Set(
    ENGINES.filter(({ metrics }) => metrics === undefined || metrics.port !== undefined)
      .flatMap(({ images }) => Object.values(images))
      .map((image) => repositoryOf(image).replace(/^[^/]+\//, '')),
  ),
];
