import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Reader } from './conversion.ts';
import { below, changed, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { jaxJob, tfJob, xgboostJob } from './kubeflow-jobs.ts';
import { parametersOf, PARAMETER_FATES } from './katib-parameters.ts';
import { inTrials } from './katib-trial.ts';
import { batchJob } from './katib-job.ts';
import { schemaOf } from './known.ts';
import { mpiJob } from './mpi-job.ts';
import { pytorchJob } from './pytorch-job.ts';
import { earlyTrainJob, trainJob } from './train-job.ts';

const TRIAL = 'spec.trialTemplate.trialSpec';

/** What a trial may be. */
const TRIALS: readonly Reader[] = [batchJob, pytorchJob, tfJob, jaxJob, xgboostJob, mpiJob, trainJob, earlyTrainJob];

const RESULT = reported(
  'the result is what the first rank prints as METRIC=VALUE, or writes to /dev/termination-log: have the program do so',
);
const TRIAL_ENDS = reported('a trial ends as a training does');

/** Katib's algorithms, as far as there is one of the same. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  bayesianoptimization: 'bayesian',
  random: 'random',
  grid: 'grid',
};

const FATES: Fates = {
  ...PARAMETER_FATES,
  'spec.objective.type': taken('spec.tuning.objective.goal'),
  'spec.objective.goal': taken('spec.tuning.objective.target'),
  'spec.objective.objectiveMetricName': taken('spec.tuning.objective.metric'),
  'spec.objective.additionalMetricNames': reported('one result is read: print the others for people'),
  'spec.objective.metricStrategies': reported('one result is read, by objective.take'),
  'spec.objective.metricStrategies.value': taken('spec.tuning.objective.take'),
  'spec.objective.metricStrategies.name': taken('spec.tuning.objective.take'),
  'spec.algorithm.algorithmName': taken('spec.tuning.algorithm'),
  'spec.algorithm.algorithmSettings': reported('an algorithm has no settings here but seed'),
  'spec.earlyStopping': reported('no trial is stopped early: objective.target ends the search'),
  'spec.parallelTrialCount': taken('spec.tuning.parallelTrials'),
  'spec.maxTrialCount': taken('spec.tuning.maxTrials'),
  'spec.maxFailedTrialCount': changed(
    'spec.tuning.maxFailedTrials',
    'is one less: Katib fails with so many failed trials, a search here with one more',
  ),
  'spec.metricsCollectorSpec': RESULT,
  'spec.metricsCollectorSpec.collector.kind': reported(
    'the result is read from the log, or from /dev/termination-log',
    ['StdOut'],
  ),
  'spec.nasConfig': reported('architectures are not searched for, only parameters'),
  'spec.resumePolicy': reported('a search continues when maxTrials is raised', ['LongRunning', 'FromVolume']),
  'spec.trialTemplate.retain': reported('trials stay until the search goes', [true]),
  'spec.trialTemplate.configMap': reported('write what it has into trialSpec, which convert reads'),
  'spec.trialTemplate.primaryPodLabels': reported('the first rank tells the result'),
  'spec.trialTemplate.primaryContainerName': changed('spec.image', 'names the container whose program is the training'),
  'spec.trialTemplate.successCondition': TRIAL_ENDS,
  'spec.trialTemplate.failureCondition': TRIAL_ENDS,
  'spec.trialTemplate.trialParameters.name': taken('spec.args'),
  'spec.trialTemplate.trialParameters.reference': taken('spec.args'),
  'spec.trialTemplate.trialParameters.description': reported('is for people: put it into an annotation'),
  [TRIAL]: reported(
    'is none of the jobs that convert reads: write a DistributedTraining, and its tuning as shown here',
  ),
  [`${TRIAL}.metadata`]: reported('trials have the metadata that the search gives them'),
};

/** Katib's Experiment: kubeflow/katib v0.19.0, pkg/apis/controller/experiments/v1beta1/experiment_types.go. */
export const experiment: Reader = {
  group: 'kubeflow.org',
  kind: 'Experiment',
  fates: FATES,
  fatesOf(fields) {
    const trial = fields.at(TRIAL);
    const reader = readerOf(trial);
    if (reader === undefined) return {};
    return below(TRIAL, { ...reader.fates, ...reader.fatesOf?.(trial) });
  },
  ownKeys: { 'katib.kubeflow.org/': 'is read by Katib alone' },
  read(fields) {
    const trial = fields.at(TRIAL);
    const reader = readerOf(trial);
    for (const name of reader === undefined ? [] : ['apiVersion', 'kind']) trial.take(name);
    const name = fields.text('spec.trialTemplate.primaryContainerName');
    const training = reader === undefined ? undefined : readTrial(reader, trial, name);
    const parameters = parametersOf(fields.items('spec.parameters'));
    return {
      kind: distributedTraining,
      spec: {
        ...inTrials(fields, training ?? {}, parameters.names),
        tuning: {
          ...algorithmOf(fields),
          ...countsOf(fields.at('spec')),
          objective: objectiveOf(fields.at('spec.objective')),
          parameters: parameters.all,
        },
      },
    };
  },
};

function readerOf(trial: Fields): Reader | undefined {
  const [version, kind] = [trial.peek('apiVersion'), trial.peek('kind')];
  if (typeof version !== 'string') return undefined;
  return TRIALS.find((reader) => reader.kind === kind && version.startsWith(`${reader.group}/`));
}

/** A Job may have several containers, of which Katib names one. */
function readTrial(reader: Reader, trial: Fields, container: string | undefined): object {
  return reader === batchJob ? batchJob.readNamed(trial, container) : reader.read(trial).spec;
}

/** Another algorithm is told, and the best that there is takes its place. */
function algorithmOf(fields: Fields): object {
  const name = fields.text('spec.algorithm.algorithmName');
  const algorithm = name !== undefined && Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (name !== undefined && algorithm === undefined) {
    fields.note('spec.algorithm.algorithmName', 'is not known here: bayesian takes its place');
  } else if (name !== algorithm) {
    fields.note('spec.algorithm.algorithmName', 'is bayesian here');
  }
  const seed = fields
    .items('spec.algorithm.algorithmSettings')
    .find((setting) => setting.peek('name') === 'random_state');
  const value = seed?.count('value');
  if (value !== undefined) seed?.take('name');
  return { algorithm: algorithm ?? 'bayesian', ...(value !== undefined && { seed: value }) };
}

/** What Katib takes where nothing is said: three at a time (DefaultTrialParallelCount), and trials without a limit. */
const KATIBS_PARALLEL = 3;
const OURS_MOST = 20;

function countsOf(spec: Fields): object {
  const carry = (from: string, to: string): Json | undefined =>
    spec.carry(from, schemaOf(distributedTraining, `spec.tuning.${to}`));
  const most = carry('maxTrialCount', 'maxTrials');
  if (most === undefined) {
    spec.report('spec.tuning.maxTrials', `is ${OURS_MOST} by default; Katib continues until an algorithm has no more`);
  }
  const parallel =
    carry('parallelTrialCount', 'parallelTrials') ?? Math.min(KATIBS_PARALLEL, Number(most ?? OURS_MOST));
  const failed = carry('maxFailedTrialCount', 'maxFailedTrials');
  if (failed === undefined) {
    spec.report('spec.tuning.maxFailedTrials', 'is 5 by default; Katib continues after any number of failures');
  }
  return {
    ...(most !== undefined && { maxTrials: most }),
    parallelTrials: parallel,
    ...(typeof failed === 'number' && { maxFailedTrials: Math.max(0, failed - 1) }),
  };
}

function objectiveOf(objective: Fields): object {
  const type = objective.peek('type');
  const goal = type === 'minimize' || type === 'maximize' ? objective.text('type') : undefined;
  const target = objective.number('goal');
  return {
    ...carriedAs(objective),
    ...(goal !== undefined && { goal }),
    take: takeOf(objective, goal),
    ...(target !== undefined && { target }),
  };
}

function carriedAs(objective: Fields): object {
  const metric = objective.carry('objectiveMetricName', schemaOf(distributedTraining, 'spec.tuning.objective.metric'));
  return metric === undefined ? {} : { metric };
}

/**
 * Where nothing is said of the metric, Katib takes the best value that was printed (setDefaultObjective of
 * experiment_defaults.go); `min` where more is better has no equivalent.
 */
function takeOf(objective: Fields, goal: string | undefined): string {
  const metric = objective.peek('objectiveMetricName');
  const strategy = objective.items('metricStrategies').find((each) => each.peek('name') === metric);
  const given = strategy?.peek('value');
  if (given === undefined) {
    objective.report('spec.tuning.objective.take', 'is best, as Katib takes it: with last, the last value counts');
    return 'best';
  }
  const best = goal === 'minimize' ? 'min' : 'max';
  if (given !== 'latest' && given !== best) return 'best';
  strategy?.take('name');
  strategy?.take('value');
  return given === 'latest' ? 'last' : 'best';
}
