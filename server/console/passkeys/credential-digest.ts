import { createHash } from 'node:crypto';

/** Key of a passkey in its table: SHA-256, hexadecimal. @param credentialId  base64url */
export const credentialDigestOf = (credentialId: string): string =>
  createHash('sha256').update(`passkey:${credentialId}`).digest('hex');
