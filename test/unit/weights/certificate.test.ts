import { expect, test } from 'vitest';
import { certificateAdvice } from '../../../fetcher/http.ts';

/** The codes of Node.js 24 (doc/api/tls.md, "X509 certificate error codes"), and that of its own check of the name (lib/tls.js). */
test.each([
  ['UNABLE_TO_GET_ISSUER_CERT', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
  ['CERT_UNTRUSTED', /NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', /must be renewed .* clock/],
  ['CERT_NOT_YET_VALID', /clock of the node/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another name/],
  ['ERR_TLS_CERT_ALTNAME_FORMAT', /another name/],
  ['HOSTNAME_MISMATCH', /another name/],
  ['CERT_REVOKED', /must replace it/],
  ['CERT_REJECTED', /must replace it/],
  ['CERT_CHAIN_TOO_LONG', /must replace it/],
  ['CERT_SIGNATURE_FAILURE', /must replace it/],
  ['INVALID_CA', /must replace it/],
  ['INVALID_PURPOSE', /must replace it/],
  ['PATH_LENGTH_EXCEEDED', /must replace it/],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', /must replace it/],
])('%s is reported with what helps', (code, advice) => {
  expect(certificateAdvice(code)).toMatch(advice);
  expect(certificateAdvice(code)?.includes('NODE_EXTRA_CA_CERTS')).toBe(String(advice).includes('NODE_EXTRA'));
});

test.each(['ECONNRESET', 'OUT_OF_MEM', 'ERR_SSL_WRONG_VERSION_NUMBER', ''])('%j is about no certificate', (code) => {
  expect(certificateAdvice(code)).toBeUndefined();
});
