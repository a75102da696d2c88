import { DomainError } from '../../common/errors/domain-error.js';
import { parseMailAddress } from '../../common/mail-address.js';
import type { OptionKey, OptionValues } from './option-catalogue.js';

/** A switch that must not be turned on before what it needs is filled in. */
interface Requirement {
  readonly switch: OptionKey;
  readonly needs: readonly OptionKey[];
}

const REQUIREMENTS: readonly Requirement[] = [
  { switch: 'GitHubOAuthEnabled', needs: ['GitHubClientId', 'GitHubClientSecret'] },
  {
    switch: 'oidc.enabled',
    needs: [
      'oidc.client_id',
      'oidc.client_secret',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
  },
  { switch: 'LinuxDOOAuthEnabled', needs: ['LinuxDOClientId', 'LinuxDOClientSecret'] },
  { switch: 'WeChatAuthEnabled', needs: ['WeChatServerAddress', 'WeChatServerToken'] },
  { switch: 'TelegramOAuthEnabled', needs: ['TelegramBotToken', 'TelegramBotName'] },
  { switch: 'TurnstileCheckEnabled', needs: ['TurnstileSiteKey', 'TurnstileSecretKey'] },
  { switch: 'StripeEnabled', needs: ['StripeApiSecret', 'StripeWebhookSecret'] },
  { switch: 'EmailVerificationEnabled', needs: ['SMTPServer'] },
  { switch: 'EmailDomainRestrictionEnabled', needs: ['EmailDomainWhitelist'] },
];

/**
 * Rules between options.
 * @param changed  keys of this change: a rule that was broken before does not stop unrelated changes
 * Fails: DomainError naming the switch and what it misses.
 */
export function checkOptionRules(candidate: OptionValues, changed: ReadonlySet<OptionKey>): void {
  for (const { switch: key, needs } of REQUIREMENTS) {
    if (candidate[key] !== true || !(changed.has(key) || needs.some((need) => changed.has(need)))) continue;
    const missing = needs.find((need) => isEmpty(candidate[need]));
    if (missing !== undefined) throw new DomainError('option_incomplete', { key, missing });
  }
  checkSender(candidate, changed);
  if (CONFIRMATION.some((key) => changed.has(key)) && isConfirmationUnasked(candidate))
    throw new DomainError('option_confirmation_unasked');
  if (
    candidate.SelfUseModeEnabled &&
    candidate.DemoSiteEnabled &&
    (changed.has('SelfUseModeEnabled') || changed.has('DemoSiteEnabled'))
  ) {
    throw new DomainError('option_one_mode');
  }
  if (changed.has('UserUsableGroups')) {
    const groups = Object.keys(candidate.UserUsableGroups).filter(
      (group) => !Object.hasOwn(candidate.GroupRatio, group),
    );
    if (groups.length > 0) throw new DomainError('option_group_without_ratio', { groups: groups.join(', ') });
  }
  if (changed.has('GroupModelRatio') || changed.has('GroupRatio')) checkPricedGroups(candidate);
  if (changed.has('GroupRatio') && candidate.GroupRatio['default'] === undefined) {
    throw new DomainError('option_default_group');
  }
}

const CONFIRMATION = ['EpayConfirmAboveMoney', 'EpayOrderQueryEnabled'] as const;

/** Payments above a sum would wait for a confirmation that is never requested. */
const isConfirmationUnasked = (values: Pick<OptionValues, (typeof CONFIRMATION)[number]>): boolean =>
  values.EpayConfirmAboveMoney > 0 && !values.EpayOrderQueryEnabled;

/** Complaint about an option beside the others if it were saved now. */
export const complaintBetween = (key: OptionKey, values: OptionValues): string | undefined =>
  key === 'EpayConfirmAboveMoney' && isConfirmationUnasked(values)
    ? '0 while EpayOrderQueryEnabled is off; payments above the sum are not credited'
    : undefined;

/** A factor for accounts of a group that does not exist is a typing mistake without a symptom. */
function checkPricedGroups({ GroupModelRatio: priced, GroupRatio: ratios }: OptionValues): void {
  const groups = Object.keys(priced).filter((group) => !Object.hasOwn(ratios, group));
  if (groups.length > 0)
    throw new DomainError('option_priced_group_without_ratio', { groups: groups.join(', ') });
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** A secret that is sent to an address. */
interface SecretPlace {
  readonly secret: OptionKey;
  readonly address: OptionKey;
  /** Address used when the option is empty; undefined = none. */
  readonly usual?: string;
}

const SECRET_PLACES: readonly SecretPlace[] = [
  { secret: 'oidc.client_secret', address: 'oidc.token_endpoint' },
  { secret: 'GitHubClientSecret', address: 'GitHubServerAddress', usual: 'https://github.com' },
  { secret: 'LinuxDOClientSecret', address: 'LinuxDOServerAddress', usual: 'https://connect.linux.do' },
  { secret: 'WeChatServerToken', address: 'WeChatServerAddress' },
  { secret: 'SMTPToken', address: 'SMTPServer' },
  { secret: 'EpayKey', address: 'PayAddress' },
  { secret: 'AlertWebhookSecret', address: 'AlertWebhookUrl' },
  { secret: 'StripeApiSecret', address: 'StripeApiAddress', usual: 'https://api.stripe.com' },
];

/**
 * Changing an address must not send it the secret that was typed for another one, and a secret is never dropped silently: with its
 * address a secret is typed again, or removed, in the same change.
 * @param given  keys of the change
 * Fails: DomainError `option_secret_retype` naming the first secret that stays behind.
 */
export function checkSecretPlaces(
  current: OptionValues,
  candidate: OptionValues,
  given: ReadonlySet<string>,
): void {
  for (const { secret, address, usual = '' } of SECRET_PLACES) {
    const before = originOf(String(current[address]) || usual);
    const after = originOf(String(candidate[address]) || usual);
    if (before === '' || before === after || current[secret] === '' || given.has(secret)) continue;
    throw new DomainError('option_secret_retype', { secret, address });
  }
}

/** A mail code can be sent only with a sender: an address of its own, or an account that is one. */
function checkSender(candidate: OptionValues, changed: ReadonlySet<OptionKey>): void {
  const touches = ['EmailVerificationEnabled', 'SMTPFrom', 'SMTPAccount'] as const;
  if (!candidate.EmailVerificationEnabled || !touches.some((key) => changed.has(key))) return;
  const sender = candidate.SMTPFrom === '' ? candidate.SMTPAccount : candidate.SMTPFrom;
  if (parseMailAddress(sender) === null)
    throw new DomainError('option_incomplete', { key: 'EmailVerificationEnabled', missing: 'SMTPFrom' });
}

/** Mail servers are host names without a scheme. */
const originOf = (address: string): string => {
  const origin = URL.parse(address)?.origin;
  return origin === undefined || origin === 'null' ? address.toLowerCase() : origin;
};
