import type { Problem } from '../../schema/error.ts';
import { isList, isObject, type Json } from '../../schema/json.ts';
import { annotationsOfSpec } from './of-spec.ts';

/**
 * Words in the name of an annotation whose value names an object, and may have a namespace before it: Secrets and
 * ConfigMaps of ingress controllers, Traefik's middlewares, F5's policies, networks of multus.
 */
const NAMES_OBJECTS =
  /secret|config-?map|cert|crt|middleware|transport|options|network|polic|plugin|header|param|backend|resource|log|gateway|inject|key|jwt|token|credential|passw|tls|issuer|service|account|upstream|target|store|claim|^cr-|(^|[-.])(ca|ref)($|[-.])/i;

/** A field, or an annotation, whose value is a namespace, or several. */
const NAMES_NAMESPACES = /namespaces?$/i;

/** Whose paths and namespaces are Vault's own, not those of Kubernetes. */
const OTHERS = 'vault.hashicorp.com/';

/**
 * The annotations of a spec that name an object of another namespace. Controllers read these objects with rights of
 * their own, so they would hand it to anyone who names it.
 *
 * No rule of the CRD can say this, since a rule knows no namespace.
 */
export const foreignNames = (spec: unknown, namespace: string): readonly Problem[] =>
  annotationsOfSpec(spec).flatMap(({ path, key, value }) => {
    const foreign = namespacesIn(key, value, namespace).find((named) => named !== namespace);
    if (foreign === undefined) return [];
    const message = `names an object of the namespace ${foreign}: an annotation may name objects of the resource's own namespace alone, ${namespace}`;
    return [{ path, message }];
  });

/** The namespaces that a value names. */
function namespacesIn(key: string, value: string, namespace: string): readonly string[] {
  if (key.startsWith(OTHERS)) return [];
  const name = key.slice(key.indexOf('/') + 1);
  if (NAMES_NAMESPACES.test(name)) return listed(value);
  const namedBy = (text: string) => listed(text).flatMap((item) => inItem(item, name, namespace));
  const json = jsonOf(value);
  return json === undefined ? [...namespaceFields(value), ...namedBy(value)] : inJson(json, namedBy);
}

const inItem = (item: string, name: string, namespace: string): readonly string[] => [
  ...ofProvider(item, namespace),
  ...ofScheme(item),
  ...(NAMES_OBJECTS.test(name) ? beforeSlash(item) : []),
  ...(/plugin/i.test(name) ? beforeColon(item) : []),
];

/** The items of a list, however its controller parts them, and puts them in quotes and brackets. */
const listed = (value: string): readonly string[] => value.split(/[\s,;|+'"`()[\]{}]/).filter((item) => item !== '');

/**
 * `other/secret`, multus' `other/network@eth1`, and a key of an object: `other/secret:key`. Other values are left
 * alone.
 */
const beforeSlash = (item: string): readonly string[] =>
  firstOf(/^([a-z0-9][-a-z0-9]{0,62})\/[a-zA-Z0-9][-a-zA-Z0-9_.]{0,252}([@:#][a-zA-Z0-9_./-]{1,256})?$/, item);

/** Kong's `other:plugin`. */
const beforeColon = (item: string): readonly string[] => firstOf(/^([a-z0-9][-a-z0-9]{0,62}):[-a-z0-9.]{1,253}$/, item);

/** `svc://other/auth:8080`, `secret://other/name`: references, not addresses. */
const ofScheme = (item: string): readonly string[] =>
  firstOf(/^(?:svc|service|secret|configmap|k8s):\/\/([^/]{1,253})\//i, item);

/** Traefik's `NAMESPACE-NAME@kubernetescrd`, and `NAMESPACE_NAME@kubernetescrd` of its safe names. */
function ofProvider(item: string, namespace: string): readonly string[] {
  const at = item.search(/@kubernetes/i);
  if (at < 0) return [];
  const reference = item.slice(0, at);
  const isOwn = reference.startsWith(`${namespace}-`) || reference.startsWith(`${namespace}_`);
  return [isOwn ? namespace : (reference.split(/[-_]/)[0] ?? '')];
}

/** Of text that is no JSON: `namespace: other`. */
const namespaceFields = (value: string): readonly string[] =>
  [...value.matchAll(/namespaces?["']?\s{0,8}[:=][\s[]{0,8}["']?([a-z0-9][-a-z0-9]{0,62})/gi)].flatMap(
    ([, named]) => named ?? [],
  );

function firstOf(pattern: RegExp, item: string): readonly string[] {
  const named = pattern.exec(item)?.[1];
  return named === undefined ? [] : [named];
}

function jsonOf(value: string): Json | undefined {
  if (!/^\s{0,64}[[{"]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

/** Go's decoder takes a field in any case. The depth is bounded by the length of a value. */
function inJson(json: Json, namedBy: (text: string) => readonly string[]): readonly string[] {
  if (typeof json === 'string') return namedBy(json);
  if (isList(json)) return json.flatMap((item) => inJson(item, namedBy));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    NAMES_NAMESPACES.test(name) ? textsIn(value) : inJson(value, namedBy),
  );
}

/** All texts of a value, at any depth. */
const textsIn = (json: Json): readonly string[] => inJson(json, (text) => [text]);
