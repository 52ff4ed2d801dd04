export { selfSigned, type KeyedCertificate } from './self-signed.ts';
