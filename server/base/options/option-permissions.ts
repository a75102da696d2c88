import { DomainError } from '../../common/errors/domain-error.js';
import { ROLE } from '../access/user.codes.js';
import { isOptionKey, type OptionKey, optionRow, type OptionValues } from './option-catalogue.js';
import { isSectionToTick } from './option-sections.js';

/** What root ticked for administrators. */
type Ticked = Pick<OptionValues, 'AdministratorSections'>;

/** Secrets, and what an attacker would change first, are root's in every section. */
export function isForRootAlone(key: OptionKey): boolean {
  const { class: kind, section } = optionRow(key);
  return kind === 'secret' || kind === 'security' || !isSectionToTick(section);
}

export function mayChangeOption(role: number, key: OptionKey, ticked: Ticked): boolean {
  if (role >= ROLE.root) return true;
  return (
    role >= ROLE.admin &&
    !isForRootAlone(key) &&
    ticked.AdministratorSections.includes(optionRow(key).section)
  );
}

/**
 * Fails: DomainError `not_permitted` when one of the keys is not the caller's to change; `option_unknown` comes first, from whoever
 * may change anything at all.
 */
export function assertMayChangeOptions(role: number, keys: readonly string[], ticked: Ticked): void {
  if (role < ROLE.admin) throw new DomainError('not_permitted');
  for (const key of keys) {
    if (!isOptionKey(key)) throw new DomainError('option_unknown', { key: key.slice(0, 100) });
    if (!mayChangeOption(role, key, ticked)) throw new DomainError('not_permitted');
  }
}

/** Whether administrators are told only that a value is stored: it is a secret, or an address that lets in whoever knows it. */
export const isWithheld = (role: number, key: OptionKey): boolean =>
  optionRow(key).class === 'secret' || (role < ROLE.root && optionRow(key).isRootsToRead === true);

/** Gifts that registering and inviting add to accounts, in quota. */
const GIFTS = [
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
] as const satisfies readonly OptionKey[];

/**
 * Bounds the gifts an administrator below root sets by the smaller of `AdministratorAdjustmentLimit` and `AdministratorDailyQuotaLimit`: one
 * account that registers must not add more than a day allows. Lowering a gift is always allowed.
 * Fails: DomainError `gift_too_large` with `key` and `limit`.
 */
export function assertGiftsWithin(role: number, candidate: OptionValues, current: OptionValues): void {
  if (role >= ROLE.root) return;
  const limits = [current.AdministratorAdjustmentLimit, current.AdministratorDailyQuotaLimit];
  const limit = Math.min(...limits.filter((each) => each > 0));
  const key = GIFTS.find((gift) => candidate[gift] > limit && candidate[gift] > current[gift]);
  if (key !== undefined) throw new DomainError('gift_too_large', { key, limit });
}
