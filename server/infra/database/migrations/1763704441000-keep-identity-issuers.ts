import { longText } from './column-specs.js';
import type { Migration } from './migration.js';

const option = (key: string): string => `(SELECT "value" FROM "options" WHERE "key" = '${key}')`;
const optionOr = (key: string, usual: string): string => `COALESCE(NULLIF(${option(key)}, ''), ${usual})`;

/** SQL for the issuer that each provider's settings name, as `identityIssuerOf` builds it. */
const issuers = (concat: (left: string, right: string) => string): readonly (readonly [string, string])[] => [
  [
    'github',
    concat(
      optionOr('GitHubServerAddress', `'https://github.com'`),
      optionOr('GitHubApiAddress', `'https://api.github.com'`),
    ),
  ],
  [
    'oidc',
    `COALESCE(NULLIF(REPLACE(${optionOr('oidc.well_known', "''")}, '/.well-known/openid-configuration', ''), ''), ${optionOr('oidc.user_info_endpoint', "''")})`,
  ],
  ['linux_do', optionOr('LinuxDOServerAddress', `'https://connect.linux.do'`)],
  ['wechat', optionOr('WeChatServerAddress', "''")],
];

const COLUMNS = ['github_issuer', 'oidc_issuer', 'linux_do_issuer', 'wechat_issuer'];

/** Issuer or address beside the subject of each outside identity. Old rows get what the settings name now. */
export const keepIdentityIssuers: Migration = {
  name: '1763704441000-keep-identity-issuers',
  appliesTo: 'main',
  async up(schema) {
    for (const column of COLUMNS) await schema.addColumn('users', longText(column, { isNullable: true }));
    const concat = (left: string, right: string): string =>
      schema.dialect === 'mysql' ? `CONCAT(${left}, ' ', ${right})` : `${left} || ' ' || ${right}`;
    for (const [provider, issuer] of issuers(concat))
      await schema.run(
        `UPDATE "users" SET "${provider}_issuer" = ${issuer}
          WHERE "${provider}_id" IS NOT NULL AND "${provider}_issuer" IS NULL`,
      );
  },
  async down(schema) {
    for (const column of COLUMNS) await schema.dropColumn('users', column);
  },
};
