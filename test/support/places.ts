/** Where in a value something stands, as dotted paths: `spec.template.spec.containers.0.image`. */
export function placesOf(
  value: unknown,
  is: (value: unknown) => boolean,
  at: readonly string[] = [],
): readonly string[] {
  if (is(value)) return [at.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => placesOf(child, is, [...at, key]));
}
