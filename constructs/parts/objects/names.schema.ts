import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';

/** What Kubernetes allows as the name of most objects. */
const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
/** What it allows as the name of a container, a volume or a namespace. */
const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** The name of a label or annotation: `example.com/team`. */
export const QUALIFIED_NAME = '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';

/** The name of an object: a Secret, a priority class. */
export const objectName = withRules(z.string().min(1).max(253), {
  rule: `self.matches('${DNS_SUBDOMAIN}')`,
  message:
    'must be the name of a Kubernetes object: lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit',
});

/** The name of something inside a pod, or of a namespace. */
export const labelName = withRules(z.string().min(1).max(63), {
  rule: `self.matches('${DNS_LABEL}')`,
  message: 'must be a DNS label: lower-case letters, digits and "-", beginning and ending with a letter or digit',
});

/** A host name, without a wildcard. */
export const hostName = withRules(z.string().min(1).max(253), {
  rule: `self.matches('${DNS_SUBDOMAIN}')`,
  message: 'must be a host name: lower-case letters, digits, "-" and ".", with neither scheme, port nor wildcard',
});

/** The keys of a map of labels or annotations. */
export const qualifiedKeys = (what: string) => ({
  rule: `self.all(k, k.size() <= 317 && k.matches('${QUALIFIED_NAME}'))`,
  message: `each key must be the name of ${what}: [prefix/]name, the name at most 63 letters, digits, "-", "_" and "."`,
});

/** cdk8s takes an object with a key of this name for an instance of a class, and can't print it. */
export const printableKeys = {
  rule: "!('constructor' in self)",
  message: 'must have no key "constructor", which cdk8s can\'t print: choose another name',
} as const;

/** Labels to select by, or to be selected by. */
export const labels = withRules(
  z.record(z.string(), z.string().max(63).describe('The value of the label.')).meta({ maxProperties: 32 }),
  qualifiedKeys('a label'),
  printableKeys,
  {
    rule: "self.all(k, self[k].matches('^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$'))",
    message:
      'each value must be that of a label: letters, digits, "-", "_" and ".", beginning and ending with a letter or digit',
  },
);

/** A port number. */
export const port = z.int().min(1).max(65_535);

/** A path that a probe asks for. */
export const httpPath = withRules(z.string().min(1).max(1024), {
  rule: "self.matches('^/[!-~]*$')",
  message: 'must be a path that begins with "/", without spaces',
});

/** A Secret of the same namespace. */
export const secretReference = z.strictObject({
  secretName: objectName.describe('Name of a Secret of the same namespace.'),
});

/** A key of the data of a Secret or a ConfigMap. */
export const dataKey = withRules(z.string().min(1).max(253), {
  rule: "self.matches('^[-._A-Za-z0-9]+$')",
  message: 'must be a key as Secrets and ConfigMaps have them: letters, digits, "-", "_" and "."',
});

/** A key of a Secret: what it holds is never copied into a manifest, a status or a state. */
export const secretKey = z.strictObject({
  secretName: objectName.describe('Name of a Secret of the same namespace.'),
  key: dataKey.describe('The key whose value to take.'),
});
