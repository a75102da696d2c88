import { DomainError } from '../../common/errors/domain-error.js';
import type { OptionKey, OptionValues } from './option-catalogue.js';

/** A switch that must not be turned on before what it needs is filled in (OPT-7). */
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
  if (
    candidate.SelfUseModeEnabled &&
    candidate.DemoSiteEnabled &&
    (changed.has('SelfUseModeEnabled') || changed.has('DemoSiteEnabled'))
  ) {
    throw new DomainError('option_one_mode');
  }
  if (changed.has('GroupRatio') && candidate.GroupRatio['default'] === undefined) {
    throw new DomainError('option_default_group');
  }
  // No other way to sign in is served yet, so switching passwords off would lock everybody out, root included (AUTH-19).
  if (changed.has('PasswordLoginEnabled') && !candidate.PasswordLoginEnabled) {
    throw new DomainError('option_last_login_way');
  }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
