import { sentence, SentenceError } from '../../../common/import-sentences/sentence.js';

/** Gateways that can be imported from. */
export const PRODUCTS = ['new-api', 'one-api', 'litellm'] as const;
export type Product = (typeof PRODUCTS)[number];

/** The program behind a database. */
export interface RecognisedSource {
  readonly product: Product;
  /** As far as its tables show it. */
  readonly version: string;
  /** Columns and tables that this import does not know, as `table.column` or `table`. */
  readonly unknown: readonly string[];
}

/** The database is not one of a program that can be imported; the message says which it is, and what to do. */
export class UnknownSourceError extends SentenceError {}

type Tables = ReadonlyMap<string, readonly string[]>;

const KNOWN_COLUMNS: Readonly<Record<'new-api' | 'one-api', Readonly<Record<string, string>>>> = {
  'new-api': {
    users:
      'id username password display_name role status email github_id discord_id oidc_id wechat_id telegram_id access_token quota used_quota request_count group aff_code aff_count aff_quota aff_history inviter_id deleted_at linux_do_id setting remark stripe_customer created_at last_login_at auth_version verification_code original_password',
    tokens:
      'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota model_limits_enabled model_limits allow_ips used_quota group cross_group_retry auto_groups deleted_at',
    channels:
      'id type key open_ai_organization openai_organization test_model status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping status_code_mapping priority auto_ban other_info tag setting param_override header_override remark channel_info settings',
    redemptions:
      'id user_id key status name quota created_time redeemed_time used_user_id deleted_at expired_time count',
  },
  'one-api': {
    users:
      'id username password display_name role status email github_id wechat_id lark_id oidc_id access_token quota used_quota request_count group aff_code inviter_id verification_code',
    tokens:
      'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota models subnet',
    channels:
      'id type key status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping priority config system_prompt',
    redemptions: 'id user_id key status name quota created_time redeemed_time count',
  },
};

/** Tables or columns that only a relative has. */
const RELATIVES: readonly { readonly name: string; readonly marks: readonly string[] }[] = [
  {
    name: 'one-hub or done-hub',
    marks: ['user_groups', 'model_owned_by', 'telegram_menus', 'tokens.setting'],
  },
  {
    name: 'veloera',
    marks: ['channels.model_prefix', 'redemptions.is_gift', 'users.last_check_in_time', 'user_messages'],
  },
  { name: 'voapi', marks: ['token_groups', 'tokens.billing_type'] },
];

/**
 * Which program made these tables, and which version as far as they show it.
 * Fails: UnknownSourceError for a relative, for a database of Tollgate, and for anything else.
 */
export function recogniseSource(tables: Tables): RecognisedSource {
  if (tables.has('LiteLLM_VerificationToken')) return recogniseLitellm(tables);
  if (tables.has('schema_migrations') && tables.has('settlements'))
    throw new UnknownSourceError(sentence('source_is_ours'));
  for (const { name, marks } of RELATIVES) {
    const found = marks.find((mark) => hasMark(tables, mark));
    if (found !== undefined)
      throw new UnknownSourceError(sentence('source_is_relative', { name, mark: found }));
  }
  const users = tables.get('users') ?? [];
  const tokens = tables.get('tokens') ?? [];
  const missing = ['users', 'tokens', 'channels', 'options'].filter((name) => !tables.has(name));
  if (tokens.includes('remain_times')) throw new UnknownSourceError(sentence('source_is_too_old'));
  const isFamily = missing.length === 0 && users.includes('quota') && tokens.includes('remain_quota');
  if (!isFamily) {
    const lack =
      tables.size === 0
        ? sentence('source_is_empty')
        : missing.length === 0
          ? sentence('source_has_other_columns')
          : sentence('source_lacks_tables', { tables: missing.join(', ') });
    throw new UnknownSourceError(sentence('source_unknown', { lack }));
  }
  const isNewApi = users.includes('aff_quota') || tokens.includes('model_limits');
  const product = isNewApi ? 'new-api' : 'one-api';
  return {
    product,
    version: isNewApi ? newApiVersion(tables) : oneApiVersion(tables),
    unknown: unknownOf(product, tables),
  };
}

function recogniseLitellm(tables: Tables): RecognisedSource {
  const missing = ['LiteLLM_UserTable', 'LiteLLM_TeamTable'].filter((name) => !tables.has(name));
  if (missing.length > 0)
    throw new UnknownSourceError(sentence('litellm_is_incomplete', { tables: missing.join(', ') }));
  const keys = tables.get('LiteLLM_VerificationToken') ?? [];
  const version = keys.includes('total_spend')
    ? '≥ 1.110'
    : tables.has('LiteLLM_BudgetTable')
      ? '1.30–1.109'
      : '< 1.30';
  return { product: 'litellm', version, unknown: [] };
}

const newApiVersion = (tables: Tables): string =>
  tables.has('subscription_plans') ? '2026' : tables.has('setups') ? '≥ 0.4' : '≤ 0.3';

const oneApiVersion = (tables: Tables): string =>
  (tables.get('tokens') ?? []).includes('subnet') ? '0.6' : '≤ 0.5';

function hasMark(tables: Tables, mark: string): boolean {
  const [table = '', column] = mark.split('.');
  return column === undefined ? tables.has(table) : (tables.get(table) ?? []).includes(column);
}

function unknownOf(product: 'new-api' | 'one-api', tables: Tables): string[] {
  return Object.entries(KNOWN_COLUMNS[product]).flatMap(([table, known]) => {
    const names = new Set(known.split(' '));
    return (tables.get(table) ?? [])
      .filter((column) => !names.has(column))
      .map((column) => `${table}.${column}`);
  });
}
