/** The body of an API server's refusal. */
export const status = (code: number, reason: string, cause?: string): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    message: `planted ${code}`,
    code,
    ...(cause !== undefined && { details: { causes: [{ reason: cause, message: 'Too large resource version' }] } }),
  });
