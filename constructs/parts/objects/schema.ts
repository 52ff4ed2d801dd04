export {
  QUALIFIED_NAME,
  dataKey,
  hostName,
  httpPath,
  labelName,
  labels,
  objectName,
  port,
  printableKeys,
  qualifiedKeys,
  secretKey,
  secretReference,
} from './names.schema.ts';
export { conditions, count, observedGeneration, references, time } from './status.schema.ts';
