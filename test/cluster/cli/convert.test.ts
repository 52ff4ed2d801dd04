import { beforeAll, describe, expect, it } from 'vitest';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { VERSION } from '../../../constructs/schema/kind.ts';
import { convert } from '../../../compat/convert/convert.ts';
import { corpus } from '../../support/shapes/corpus/index.ts';
import { adminClient } from '../support/client.ts';
import { installTrunnion } from '../support/operator.ts';

const admin = adminClient();
const KINDS = [modelServing, distributedTraining, agentService];
/** Nothing is kept: no namespace of its own is needed. */
const namespace = 'default';

beforeAll(() => installTrunnion(admin));

const complete = corpus.filter(({ missing }) => missing.length === 0).map(({ source }) => source);

describe('the API server', () => {
  it.each(complete.map((source) => [`${source.kind} ${source.metadata.name}`, source] as const))(
    'takes the equivalent of %s',
    async (_, source) => {
      const { manifest } = convert(source, [source])!;
      const body = { ...manifest, metadata: { ...manifest.metadata, namespace } };
      const { group, plural } = KINDS.find(({ kind }) => kind === manifest.kind)!;
      const stored = await admin.raw('POST', `/apis/${group}/${VERSION}/namespaces/${namespace}/${plural}`, {
        query: { dryRun: 'All', fieldValidation: 'Strict' },
        body,
      });
      expect(stored).toMatchObject({ kind: manifest.kind, metadata: { name: manifest.metadata.name } });
    },
  );
});
