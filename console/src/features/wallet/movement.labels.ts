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

/** Kinds whose name is enough: their stored reason repeats it. */
const SELF_EXPLANATORY: readonly string[] = ['setup', 'grant_new', 'grant_invitee', 'aff_in'];

interface Reason {
  /** Subject of the movement; undefined = none that this console has texts for. */
  readonly word?: 'code' | 'order' | 'orderByHand' | 'adjustedBy' | 'lateSettlement';
  readonly value: string;
  /** Text written by a person. */
  readonly said: string;
}

/** Takes the server's fixed phrases apart, so that they are shown in the reader's language; texts of people stay. */
export function readReason({ kind, reason }: { readonly kind: string; readonly reason: string }): Reason {
  if (SELF_EXPLANATORY.includes(kind)) return { value: '', said: '' };
  const code = /^code (\d+)$/.exec(reason);
  if (kind === 'redeem' && code !== null) return { word: 'code', value: code[1] ?? '', said: '' };
  const adjusted = /^adjusted by (\S+)$/.exec(reason);
  if (kind === 'adjust' && adjusted !== null)
    return { word: 'adjustedBy', value: adjusted[1] ?? '', said: '' };
  if (kind === 'correction' && reason === 'late settlement of a recovered call')
    return { word: 'lateSettlement', value: '', said: '' };
  const order = /^order (\S+?)(?: (completed by hand): (.*))?$/s.exec(reason);
  if (kind !== 'topup' || order === null) return { value: '', said: reason };
  const [, value = '', byHand, said = ''] = order;
  return { word: byHand === undefined ? 'order' : 'orderByHand', value, said };
}
