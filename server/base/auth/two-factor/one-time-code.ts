/** Nine megabytes, loaded by the first who uses an authenticator app. */
const library = () => import('otplib');

const PERIOD_SECONDS = 30;
/** Clocks of phones: the step before and the one after count as well. */
const TOLERANCE_SECONDS = 30;
const SECRET_BYTES = 20;
const CODE = /^\d{6}$/;

/** A new secret, base32. */
export async function makeSecret(): Promise<string> {
  const { generateSecret } = await library();
  return generateSecret({ length: SECRET_BYTES });
}

/** Address that authenticator apps read from a QR code. */
export async function otpauthAddress(issuer: string, label: string, secret: string): Promise<string> {
  const { generateURI } = await library();
  return generateURI({ issuer: issuer.replaceAll(':', ' ').trim() || 'Tollgate', label, secret });
}

/**
 * The time step a code belongs to (RFC 6238: SHA-1, six digits, 30 s), or null when it is none of the three that count now.
 * @param nowMs  milliseconds since 1970
 */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | null> {
  if (!CODE.test(code)) return null;
  const { verifySync } = await library();
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    period: PERIOD_SECONDS,
    epochTolerance: TOLERANCE_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
