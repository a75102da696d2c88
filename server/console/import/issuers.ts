import { identityIssuerOf } from '../../base/users/identity-issuer.js';
import type { Issuers } from './write/write-users.js';

/** Issuers of the identities of a source, as this product writes them. */
export function issuersOf(options: ReadonlyMap<string, string>): Issuers {
  const text = (key: string): string => options.get(key) ?? '';
  const values = {
    GitHubServerAddress: text('GitHubServerAddress'),
    GitHubApiAddress: text('GitHubApiAddress'),
    'oidc.well_known': text('oidc.well_known'),
    'oidc.user_info_endpoint': text('oidc.user_info_endpoint'),
    LinuxDOServerAddress: text('LinuxDOServerAddress'),
    WeChatServerAddress: text('WeChatServerAddress'),
  };
  return {
    githubIssuer: identityIssuerOf(values, 'github'),
    oidcIssuer: identityIssuerOf(values, 'oidc'),
    linuxDoIssuer: identityIssuerOf(values, 'linuxdo'),
    wechatIssuer: identityIssuerOf(values, 'wechat'),
  };
}
