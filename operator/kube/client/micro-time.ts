/** Kubernetes' MicroTime: RFC 3339 with six digits of a second. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
