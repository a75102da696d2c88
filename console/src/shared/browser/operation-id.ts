/**
 * Name of one operation, so that the server does it once however often it is sent: 32 hexadecimal digits.
 * `crypto.randomUUID` is missing on plain-http addresses, where consoles also live.
 */
export function newOperationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
