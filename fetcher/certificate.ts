/**
 * What to do about a certificate that no repetition helps, by the code of the failure; undefined where it is no such code. The
 * codes are those of Node.js 24 (doc/api/tls.md, "X509 certificate error codes", and lib/tls.js).
 */
export function certificateAdvice(code: string): string | undefined {
  if (NO_CA.test(code)) {
    return 'mount that of its CA by podTemplate, and name the file in the variable NODE_EXTRA_CA_CERTS';
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'it, or one of a CA above it, must be renewed by anyone who runs the host, or the mounted CA is an old one; check the clock of the node as well';
  }
  if (code === 'CERT_NOT_YET_VALID') return 'check the clock of the node, and from when on it is valid';
  if (/^ERR_TLS_CERT_ALTNAME|^HOSTNAME_MISMATCH$/.test(code)) {
    return 'it is for another name: write the host as the certificate has it, or have it made for this one';
  }
  return OTHERS.test(code) ? 'anyone who runs the host, or the proxy before it, must replace it' : undefined;
}

/** Nobody who is trusted has signed it. */
const NO_CA =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/;

const OTHERS =
  /^(?:CERT_|CRL_|ERROR_IN_C|ERR_TLS_CERT|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|UNABLE_TO_(?:GET|DECRYPT|DECODE)_)/;
