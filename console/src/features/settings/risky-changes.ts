import type { OptionChange, OptionTexts } from './api';

/** Host name people reach the console by: that of the public address, else the one in the address bar. */
export function hostOf(address: string | undefined): string {
  return (address === undefined || address === '' ? null : URL.parse(address)?.hostname) ?? location.hostname;
}

/**
 * Changes that deserve a second thought; passkeys belong to the host name they were made under.
 * @param texts  what is stored now
 */
export function questionFor(
  changes: readonly OptionChange[],
  texts: OptionTexts,
): 'unit' | 'password' | 'host' | undefined {
  const valueOf = (key: string) => changes.find((change) => change.key === key)?.value;
  if (valueOf('QuotaPerUnit') !== undefined) return 'unit';
  if (valueOf('PasswordLoginEnabled') === 'false') return 'password';
  const address = valueOf('ServerAddress') ?? undefined;
  const isMoving = address !== undefined && hostOf(address) !== hostOf(texts.ServerAddress);
  return isMoving && texts['passkey.enabled'] !== 'false' ? 'host' : undefined;
}
