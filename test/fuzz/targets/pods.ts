import { labelsIn } from '../../../operator/engine/queries/labels.ts';
import { SampleReader, SampleSums } from '../../../operator/engine/queries/prometheus.ts';
import { ReportReader } from '../../../operator/engine/queries/report/report.ts';
import { holds, type Target } from '../target.ts';

/** What it is told in pieces it must take as it takes it in one. */
function inPieces(bytes: Buffer, push: (piece: Buffer) => void): void {
  const size = 1 + (bytes[0] ?? 0);
  for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
}

const METRIC = 'loss';

const reportOf = (feed: (reader: ReportReader) => void): string => {
  const reader = new ReportReader(METRIC);
  feed(reader);
  return JSON.stringify(reader.end());
};

/** What a program in a pod prints. */
const log: Target = {
  name: 'log',
  run(bytes) {
    const whole = reportOf((reader) => reader.push(bytes));
    holds(whole.length < 8_192, 'what is kept of a log is short');
    const pieces = reportOf((reader) => inPieces(bytes, (piece) => reader.push(piece)));
    holds(whole === pieces, `a log says the same in pieces: ${whole} and ${pieces}`);
  },
  refusals: [],
};

/** What a pod answers for its metrics. */
const metrics: Target = {
  name: 'metrics',
  run(bytes) {
    const wanted = ['vllm:num_requests_running', 'a'];
    const sums = new SampleSums(wanted);
    inPieces(bytes, (piece) => sums.push(piece));
    for (const [name, sum] of Object.entries(sums.end())) {
      holds(wanted.includes(name), 'only metrics that were asked for are told');
      holds(typeof sum === 'number', 'a sum is a number');
    }
    const reader = new SampleReader(wanted, ({ labels }) => {
      for (const name of labelsIn(labels).keys()) holds(/^[A-Za-z_]\w*$/.test(name), 'a label has a name');
    });
    reader.push(bytes);
    reader.end();
  },
  refusals: [Error],
};

export const podTargets: readonly Target[] = [log, metrics];
