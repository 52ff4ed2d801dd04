import { expect, test } from 'vitest';
import { DEFAULT_FOLDER, dirOption } from '../../../cli/cluster/folder.ts';

test.for([
  [DEFAULT_FOLDER, ''],
  ['/tmp/mine', ' --dir /tmp/mine'],
  ['/tmp/my cluster', " --dir '/tmp/my cluster'"],
  ["/tmp/it's", String.raw` --dir '/tmp/it'\''s'`],
] as const)('the folder %s is named as a shell takes it: "%s"', ([dir, option]) => {
  expect(dirOption(dir)).toBe(option);
});
