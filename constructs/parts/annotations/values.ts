/** What the value of an annotation may be. Its pattern is linear: texts come from outside. */
export interface ValueForm {
  readonly pattern: Pick<RegExp, 'test'>;
  /** What the pattern allows, as the end of a sentence that begins with "must be". */
  readonly allowed: string;
}

export const BOOLEAN: ValueForm = { pattern: /^(true|false)$/, allowed: '"true" or "false"' };

export const NUMBER: ValueForm = { pattern: /^[0-9]{1,9}$/, allowed: 'a whole number' };

export const INTEGER: ValueForm = { pattern: /^-?[0-9]{1,10}$/, allowed: 'a whole number, which may be negative' };

export const PORT: ValueForm = { pattern: /^[0-9]{1,5}$/, allowed: 'the number of a port' };

export const PORTS: ValueForm = {
  pattern: /^[0-9]{1,5}(,[0-9]{1,5}){0,63}$/,
  allowed: 'numbers of ports with commas between them',
};

export const SIZE: ValueForm = { pattern: /^[0-9]{1,9}[kKmMgG]?$/, allowed: 'a size, for instance 64m' };

export const QUANTITY: ValueForm = {
  pattern: /^[0-9]{1,9}([.][0-9]{1,6})?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/,
  allowed: 'an amount as Kubernetes writes it, for instance 500m or 2Gi',
};

export const DURATION: ValueForm = {
  pattern: /^([0-9]{1,9}(ms|us|s|m|h|d)?){1,4}$/,
  allowed: 'a time, for instance 600s',
};

/** One name: of an object of the same namespace, of a class, of a container. */
export const NAME: ValueForm = {
  pattern: /^[a-zA-Z0-9]([-a-zA-Z0-9_.]{0,251}[a-zA-Z0-9])?$/,
  allowed: 'one plain name',
};

export const NAMES: ValueForm = {
  pattern: /^[a-zA-Z0-9][-a-zA-Z0-9_.]{0,252}(, ?[a-zA-Z0-9][-a-zA-Z0-9_.]{0,252}){0,31}$/,
  allowed: 'plain names with commas between them',
};

/** A Secret. That a namespace before it is the resource's own is seen to for every annotation: see namespaces.ts. */
export const SECRET: ValueForm = {
  pattern: /^([a-z0-9][-a-z0-9]{0,62}\/)?[a-z0-9][-a-z0-9.]{0,252}$/,
  allowed: 'the name of a Secret of the same namespace',
};

/** An absolute path without what any controller's configuration would take for more than a path. */
export const PATH: ValueForm = {
  pattern: /^\/[-A-Za-z0-9_.~/]{0,255}$/,
  allowed: 'a path of letters, digits, "-", "_", ".", "~" and "/", beginning with "/"',
};

export const ADDRESSES: ValueForm = {
  pattern: /^[0-9a-fA-F.:/, ]{1,2048}$/,
  allowed: 'addresses or ranges of addresses with commas between them, for instance 10.0.0.0/8',
};

export const HTTP_STATUSES: ValueForm = {
  pattern: /^[0-9]{3}([,-][0-9]{3}){0,15}$/,
  allowed: 'HTTP status codes, for instance 200-299',
};

/** Words for people, and what a browser shows, without a character that ends a text in some configuration. */
export const WORDS: ValueForm = {
  pattern: /^[A-Za-z0-9][-A-Za-z0-9 ._]{0,127}$/,
  allowed: 'words of letters, digits, spaces, "-", "_" and "."',
};

export const HEADER_NAMES: ValueForm = {
  pattern: /^([*]|[-A-Za-z0-9_]{1,128}(, ?[-A-Za-z0-9_]{1,128}){0,63})$/,
  allowed: 'names of headers or methods with commas between them',
};

export const ORIGINS: ValueForm = {
  pattern: /^([*]|https?:\/\/[-A-Za-z0-9.*:]{1,253}(, ?https?:\/\/[-A-Za-z0-9.*:]{1,253}){0,31})$/,
  allowed: '* or origins with commas between them, for instance https://chat.example.com',
};

/** One of some words. */
export const oneOf = (...words: readonly string[]): ValueForm => ({
  pattern: { test: (value) => words.includes(value) },
  allowed: `one of ${words.join(', ')}`,
});
