import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';
import type { HostNotes } from '../../schema/structural.ts';
import { printableKeys, qualifiedKeys } from '../objects/schema.ts';

/** What annotations do in each host. */
export const annotationNotes: HostNotes = {
  cdk8s:
    'All are applied, with the rights of the user who applies them; synth warns of those that the operator does not take by default.',
  pulumi:
    'All are applied, with the rights of the user who applies them; a warning names those that the operator does not take by default.',
  operator:
    'One that is not allowed is refused: Accepted is False with the reason AnnotationNotAllowed, and what runs continues.',
};

/** Labels and annotations that only Trunnion sets. */
export const notOurs = (what: 'labels' | 'annotations') => ({
  rule: "self.all(k, !k.startsWith('app.kubernetes.io/') && !k.startsWith('trunnion.dev/'))",
  message: `${what} of app.kubernetes.io/ and trunnion.dev/ are set by Trunnion: choose another prefix`,
});

/**
 * A controller that writes a value into its own configuration takes what follows a line break for more configuration; and
 * what turns the direction of text around shows another text than there is. What a simulated program prints is of
 * nobody's configuration.
 */
const onOneLine = {
  rule: String.raw`self.all(k, k.startsWith('sim.trunnion.dev/') || !self[k].matches('[\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]'))`,
  message:
    'each value must be text on one line: without line breaks, control characters and marks that change the direction of text',
};

/**
 * Annotations whose value some controllers write into the configuration that all tenants share: who may make a workload
 * need not be somebody who may do that (CVE-2021-25742).
 */
const noConfiguration = {
  rule: "self.all(k, !k.matches('snippet|/config-[a-z-]+$|^getambassador[.]io/|^zalando[.]org/skipper-'))",
  message:
    'annotations that bring configuration of the controller (…-snippet, …/config-backend) are refused: anyone who runs the controller may set it there',
} as const;

/** Annotations by which profiles were switched off before fields did that; Kubernetes still reads some of them. */
const noProfiles = {
  rule: "self.all(k, !k.startsWith('container.apparmor.security.beta.kubernetes.io/') && !k.startsWith('seccomp.security.alpha.kubernetes.io/') && !k.startsWith('container.seccomp.security.alpha.kubernetes.io/'))",
  message:
    'annotations that choose AppArmor or seccomp profiles are refused: security.level says how pods are locked in',
} as const;

const anyAnnotations = withRules(
  z.record(z.string(), z.string().max(4096).describe('The value of the annotation.')).meta({ maxProperties: 32 }),
  qualifiedKeys('an annotation'),
  printableKeys,
  notOurs('annotations'),
  onOneLine,
);

/**
 * What no annotation may be in any host, by the class of the object that it is for. Which of the others the operator
 * puts on an object, an administrator says: see allowed.ts. That none names an object of another namespace is seen to
 * beside these rules, which know no namespace: see namespaces.ts.
 */
export const ingressAnnotations = withRules(anyAnnotations, noConfiguration);
export const serviceAccountAnnotations = anyAnnotations;
export const podAnnotations = withRules(anyAnnotations, noProfiles);
