import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { agentServiceArbitrary } from '../../support/arbitrary-agent-service.ts';
import { distributedTrainingArbitrary } from '../../support/arbitrary-distributed-training.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';

/** A kind that a tenant may make: its schema as the API server has it, and resources of it that are as they should be. */
export interface TenantKind {
  readonly type: ResourceType;
  readonly spec: StructuralSchema;
  readonly valid: fc.Arbitrary<object>;
}

/** By the file of their CRD: specs that are valid. */
const VALID: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'trunnion.dev_modelservings': modelServingArbitrary,
  'trunnion.dev_agentservices': agentServiceArbitrary,
  'trunnion.dev_distributedtrainings': distributedTrainingArbitrary,
  'compat/ai.example.com_aiagents': examples('aiagent', 'AIAgent'),
  'compat/ai.example.com_modeldeployments': examples('modeldeployment', 'ModelDeployment'),
  'compat/llm.example.com_llmdeployments': examples('llm', 'LLMDeployment'),
  'compat/ml.collabnix.io_mltrainingjobs': examples('mltrainingjob', 'MLTrainingJob'),
  'compat/ml.example.com_mlmodels': examples('mlmodel', 'MLModel'),
};

export const tenantKinds: readonly TenantKind[] = Object.entries(VALID).map(([file, valid]) => ({
  ...definition(file),
  valid,
}));

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: StructuralSchema } } };
    }[];
  };
}

function definition(file: string): Omit<TenantKind, 'valid'> {
  const { spec } = parse(readFileSync(`crds/${file}.yaml`, 'utf8')) as Definition;
  const [version] = spec.versions;
  if (version === undefined) throw new Error(`${file} has no version`);
  const { kind, plural } = spec.names;
  return {
    type: { group: spec.group, version: version.name, kind, plural },
    spec: version.schema.openAPIV3Schema.properties.spec,
  };
}

function examples(file: string, kind: string): fc.Arbitrary<object> {
  const documents = parseAllDocuments(readFileSync(`examples/compat/${file}.yaml`, 'utf8'));
  const resources = documents.map((document) => document.toJS() as { readonly kind: string; readonly spec: object });
  return fc.constantFrom(...resources.filter((each) => each.kind === kind).map(({ spec }) => spec));
}
