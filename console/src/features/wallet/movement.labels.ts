export const MOVEMENT_KINDS = [
  'setup',
  'grant_new',
  'grant_invitee',
  'topup',
  'redeem',
  'aff_in',
  'adjust',
  'correction',
  'refund',
  'import',
] as const;

/** Why a balance moved; other words of the server are shown as they are. */
export function isMovementKind(kind: string): kind is (typeof MOVEMENT_KINDS)[number] {
  return MOVEMENT_KINDS.some((known) => known === kind);
}
