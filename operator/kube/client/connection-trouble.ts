import { plainText } from '../../../constructs/parts/values/index.ts';
import type { Connection } from './connection.ts';
import { ApiError, TransportError } from './errors.ts';

/** Longest words of a library that are told. */
const LONGEST_WORDS = 300;

/** What happened, and what to do. */
type Trouble = (error: TransportError) => string;

const UNREACHABLE: Trouble = ({ code }) =>
  `no connection came about (${code}). Check that the server in the context is right, and that no VPN or firewall is between.`;
const UNKNOWN_NAME: Trouble = ({ code }) =>
  `its name is not known (${code}). Correct the server in the context, or connect to the network or VPN that knows it.`;
const BROKEN_OFF: Trouble = ({ code }) =>
  `the connection was closed without an answer (${code}). Something else may listen there: check the port.`;
const NO_TLS: Trouble = () => 'what listens there does not speak TLS. Check the port of the server in the context.';
const WRONG_CA: Trouble = ({ code }) =>
  `its certificate is not of the CA in the kubeconfig (${code}). If the cluster was created again, get its kubeconfig again; else correct certificate-authority.`;
const EXPIRED: Trouble = ({ code }) =>
  `its certificate is not valid today (${code}). Renew it, and check the clock of this machine.`;
const BAD_FILES: Trouble = ({ code, message }) =>
  `the certificates of the kubeconfig can't be used (${code}: ${message}). Get the kubeconfig again.`;

/** By the codes of Node.js 24 (libuv, OpenSSL) and undici 7. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: () => 'nothing listens there (ECONNREFUSED). Start the cluster, or correct the server in the context.',
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: UNREACHABLE,
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  DEADLINE: ({ message }) => `${message}. Check that it is an API server, and that it is not overloaded.`,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: WRONG_CA,
  SELF_SIGNED_CERT_IN_CHAIN: WRONG_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: WRONG_CA,
  CERT_SIGNATURE_FAILURE: WRONG_CA,
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: EXPIRED,
  ERR_TLS_CERT_ALTNAME_INVALID: () =>
    'its certificate is for other names (ERR_TLS_CERT_ALTNAME_INVALID). Correct the server in the context, or set tls-server-name.',
};

/** How servers refuse a client's certificate: by an alert of TLS (RFC 8446, section 6). */
const REFUSED_CERTIFICATE = /^ERR_SSL_.*ALERT/;

/**
 * Why nothing can be done by a connection, in a sentence with the server, the context and its file, and what to do.
 * Undefined for an error that is not about the connection.
 */
export function connectionTrouble(error: unknown, connection: Connection): string | undefined {
  const whose = originOf(connection);
  if (error instanceof TransportError)
    return `no answer from the API server ${connection.url}${whose}: ${wordsFor(error)}`;
  if (!(error instanceof ApiError) || error.status !== 401) return undefined;
  const { user } = connection.origin ?? {};
  const credentials = user === undefined ? 'the credentials' : `the credentials of the user "${user}"`;
  return `the API server ${connection.url}${whose} does not accept ${credentials}: ${error.message}. They may have expired: log in again, or renew the token or the certificate.`;
}

function originOf({ origin }: Connection): string {
  return origin === undefined ? '' : ` (context "${origin.context}" of ${origin.file})`;
}

function wordsFor(error: TransportError): string {
  const trouble = Object.hasOwn(TROUBLES, error.code) ? TROUBLES[error.code] : undefined;
  if (trouble !== undefined) return trouble(error);
  if (REFUSED_CERTIFICATE.test(error.code)) {
    return `it refuses the client certificate of the user (${error.code}). Renew it: get the kubeconfig again.`;
  }
  if (/^ERR_(?:OSSL|CRYPTO)/.test(error.code)) return BAD_FILES(error);
  return `${plainText(error.message, { max: LONGEST_WORDS })} (${error.code}).`;
}
