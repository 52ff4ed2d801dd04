import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ruleFile } from './alerts/rules.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { dashboardFiles, monitoring } from './index.ts';

/**
 * Writes what watches an operator: `monitoring.yaml` for a cluster with Prometheus' operator, and rules and dashboards
 * as plain files for all others.
 */
const [folder = 'dist/monitoring', namespace = 'trunnion-system'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const files = {
  ...dashboardFiles(),
  'monitoring.yaml': monitoring({ namespace })
    .map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n'),
  'rules.yaml': stringify(ruleFile(OPERATOR_NAME), { lineWidth: 0 }),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
console.log(`${Object.keys(files).join(', ')} in ${folder}`);
