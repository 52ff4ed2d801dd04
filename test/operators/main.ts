/* oxlint-disable no-console -- it is a program of the command line. */
/**
 * The whole campaign of faults for the examples, by hand: `npm run test:operators -- [NAME…]`. `kopf` is kopf's own example,
 * which needs Python 3.11; it isn't run where no name is given.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withCluster } from '../../testing/cluster/index.ts';
import { faults } from '../../testing/faults/index.ts';
import { kopfWalkthrough } from './kopf/subject.ts';
import { SUBJECTS } from './scenarios.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plans: { type: 'string', multiple: true },
    parallel: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});

const all = { ...SUBJECTS, kopf: () => kopfWalkthrough(console.log) };
const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
const unknown = names.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  throw new Error(`there is no example ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);
}

await using cluster = await withCluster({ log: console.log });
const reports: Record<string, unknown> = {};
for (const name of names) {
  const subject = await all[name as keyof typeof all]();
  const report = await faults({
    ...subject,
    cluster,
    parallel: Number(values.parallel),
    minutes: Number(values.minutes),
    log: console.log,
    ...(values.plans && { plans: values.plans }),
  });
  console.log(`\n${name}\n${report.text}\n`);
  reports[name] = report;
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(reports, undefined, 2));
  if (!report.passed) process.exitCode = 1;
}
