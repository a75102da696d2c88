import { ACCOUNT_OPTIONS } from './catalogue/account-options.js';
import { ALERT_OPTIONS } from './catalogue/alert-options.js';
import { CALL_OPTIONS } from './catalogue/call-options.js';
import { CHANNEL_OPTIONS } from './catalogue/channel-options.js';
import { CONSOLE_OPTIONS } from './catalogue/console-options.js';
import { IDENTITY_OPTIONS } from './catalogue/identity-options.js';
import { MODEL_OPTIONS } from './catalogue/model-options.js';
import { PAYMENT_OPTIONS } from './catalogue/payment-options.js';
import { PRICE_OPTIONS } from './catalogue/price-options.js';
import { SERVER_OPTIONS } from './catalogue/server-options.js';
import type { OptionRow } from './option-kinds.js';
import { PRICE_OPTION_KEYS } from '../pricing/price-table.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { ROLE } from '../access/user.codes.js';
import { isSectionToTick } from './option-sections.js';

/**
 * Every option there is, one file per area. A key that is not here is refused.
 * A new one is a row in the file of its area.
 */
export const OPTION_CATALOGUE = {
  ...CONSOLE_OPTIONS,
  ...PRICE_OPTIONS,
  ...CALL_OPTIONS,
  ...CHANNEL_OPTIONS,
  ...MODEL_OPTIONS,
  ...SERVER_OPTIONS,
  ...ACCOUNT_OPTIONS,
  ...IDENTITY_OPTIONS,
  ...PAYMENT_OPTIONS,
  ...ALERT_OPTIONS,
} as const;

export type OptionKey = keyof typeof OPTION_CATALOGUE;

type ValueOf<Row> = Row extends OptionRow<infer T> ? T : never;

/** All options as values: key → parsed value. Frozen. */
export type OptionValues = { readonly [Key in OptionKey]: ValueOf<(typeof OPTION_CATALOGUE)[Key]> };

export const OPTION_KEYS = Object.keys(OPTION_CATALOGUE) as OptionKey[];

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTION_CATALOGUE, key);

/** A row with its value type forgotten, for code that treats all options alike. */
export const optionRow = (key: OptionKey): OptionRow<unknown> => OPTION_CATALOGUE[key] as OptionRow<unknown>;

export const isSecret = (key: OptionKey): boolean => OPTION_CATALOGUE[key].class === 'secret';

/** Values of all options while nothing is stored. */
export const OPTION_FALLBACKS = Object.freeze(
  Object.fromEntries(OPTION_KEYS.map((key) => [key, optionRow(key).fallback])),
) as OptionValues;

/** Options whose change is a change of prices: kept as a version of the price list. */
export const PRICE_KEYS: ReadonlySet<OptionKey> = new Set<OptionKey>([
  ...PRICE_OPTION_KEYS,
  'UserUsableGroups',
]);

/** Sections root granted to administrators. */
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
 * Fails: DomainError `not_permitted` when the caller may not change one of the keys; `option_unknown` comes first, for callers with
 * any permission at all.
 */
export function assertMayChangeOptions(role: number, keys: readonly string[], ticked: Ticked): void {
  if (role < ROLE.admin) throw new DomainError('not_permitted');
  for (const key of keys) {
    if (!isOptionKey(key)) throw new DomainError('option_unknown', { key: key.slice(0, 100) });
    if (!mayChangeOption(role, key, ticked)) throw new DomainError('not_permitted');
  }
}

/** True when administrators see only that a value is stored: it is a secret, or an address that grants access by itself. */
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
