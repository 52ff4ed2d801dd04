import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { printYaml } from '../yaml/print.ts';
import { packageRoot } from './binaries.ts';
import { writePrivately } from './private.ts';

/** A stage of kwok's configuration, as far as it is changed here. */
interface Stage {
  readonly spec: { readonly delay?: Delay; readonly [field: string]: unknown };
}

interface Delay {
  readonly durationMilliseconds?: number;
}

/** An entry of pods.yaml. */
interface PodStep {
  readonly delay?: Delay;
  readonly next: { readonly statusTemplate?: string; readonly delete?: boolean };
}

/** Text of a file in `cluster/manifests/`. */
export function manifest(file: string): string {
  return readFileSync(join(packageRoot(), 'cluster', 'manifests', file), 'utf8');
}

/**
 * kwok's configuration: how simulated nodes, pods and volumes come about, and what containers log.
 *
 * @param pace - by what the delays are multiplied
 * @param logs - a folder for the files with what containers log
 */
export function kwokConfig(pace: number, logs: string): string {
  const stages = [...documents('nodes.yaml'), ...podStages(), ...documents('volumes.yaml')];
  return [...stages.map((stage) => paced(stage, pace)), containerLogs(logs)].map(printYaml).join('---\n');
}

function documents(file: string): Stage[] {
  return parseAllDocuments(manifest(file)).map((document) => document.toJS() as Stage);
}

function podStages(): Stage[] {
  const steps = parse(manifest('pods.yaml')) as Readonly<Record<string, PodStep>>;
  const nextStep = manifest('pod-step.jq');
  const shared = manifest('pod-status.tpl');
  return Object.entries(steps).map(([step, { delay, next }]) => ({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: `pod-${step}` },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: { matchExpressions: [{ key: nextStep, operator: 'In', values: [step] }] },
      ...(delay === undefined ? {} : { delay }),
      next: next.statusTemplate === undefined ? next : { ...next, statusTemplate: shared + next.statusTemplate },
    },
  }));
}

function paced(stage: Stage, pace: number): Stage {
  const delay = stage.spec.delay;
  if (delay?.durationMilliseconds === undefined) {
    return stage;
  }
  const durationMilliseconds = Math.round(delay.durationMilliseconds * pace);
  return { ...stage, spec: { ...stage.spec, delay: { ...delay, durationMilliseconds } } };
}

/** What every container logs, by its name; the last entry holds for all others. */
const LOGS = [
  {
    container: 'fetch',
    lines: [0, 4_015_130_624, 8_030_261_248, 12_045_391_872, 16_060_522_496].map((bytes) =>
      JSON.stringify({ bytes, totalBytes: 16_060_522_496 }),
    ),
  },
  {
    container: 'trainer',
    lines: ['epoch=1 val_accuracy=0.71', 'epoch=2 val_accuracy=0.93', '{"epoch": 3, "val_accuracy": 0.91}', 'done'],
  },
  { container: undefined, lines: ['a simulated container runs nothing, so this is all that it logs'] },
];

function containerLogs(folder: string): object {
  const logs = LOGS.map(({ container, lines }) => {
    const logsFile = join(folder, `${container ?? 'any'}.log`);
    writePrivately(logsFile, lines.map((line) => `2026-01-01T00:00:00Z stdout F ${line}\n`).join(''));
    return {
      ...(container === undefined ? {} : { containers: [container] }),
      logsFile,
      previousLogsFile: logsFile,
      follow: false,
    };
  });
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'ClusterLogs',
    metadata: { name: 'containers' },
    spec: { logs },
  };
}
