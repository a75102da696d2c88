import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import { RowValues } from '../source/row-values.js';

/** Options of one-api, and of older new-api, that have another name here. */
const RENAMED: Readonly<Record<string, string>> = {
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
  OidcEnabled: 'oidc.enabled',
};

/** Switches of payment, e-mail, registration and tests on a schedule: they arrive off, and a person turns them on. */
const SWITCHED_OFF: Readonly<Record<string, string>> = {
  PaymentEnabled: 'false',
  StripeEnabled: 'false',
  RegisterEnabled: 'false',
  PasswordRegisterEnabled: 'false',
  EmailVerificationEnabled: 'false',
  'monitor_setting.auto_test_channel_enabled': 'false',
};

/** The group "auto" of new-api is no group: it stands for a list. */
const AUTOMATIC_GROUP = 'auto';

/** Families whose completion ratio is built into new-api and beats its option. */
const BUILT_IN_COMPLETION: readonly { readonly name: RegExp; readonly ratio: (model: string) => number }[] = [
  { name: /^gpt-5/, ratio: () => 8 },
  { name: /^claude-/, ratio: () => 5 },
  { name: /^gemini-2\.5-pro/, ratio: () => 8 },
];

/** The stored options of a source, by its own names. */
export async function readOptions(source: ForeignSource): Promise<Map<string, string>> {
  const rows = await source.query(`SELECT * FROM "options"`);
  return new Map(
    rows.map((row) => {
      const values = new RowValues('options', row);
      return [values.text('key'), values.text('value')] as const;
    }),
  );
}

/** The same by the names here, with the switches that arrive off, and the ratios that new-api has built in. */
export function translateOptions(
  stored: ReadonlyMap<string, string>,
  product: 'new-api' | 'one-api',
): Map<string, string> {
  const options = new Map<string, string>();
  for (const [key, value] of stored) options.set(RENAMED[key] ?? key, value);
  const usable = parseJson(options.get('UserUsableGroups') ?? '');
  if (isJsonObject(usable) && Object.hasOwn(usable, AUTOMATIC_GROUP)) {
    const { [AUTOMATIC_GROUP]: _automatic, ...groups } = usable;
    options.set('UserUsableGroups', JSON.stringify(groups));
  }
  const ratios = parseJson(options.get('GroupRatio') ?? '');
  // Accounts of one-api cannot choose a group.
  if (product === 'one-api' && isJsonObject(ratios)) options.set('UserUsableGroups', '{}');
  const completion = parseJson(options.get('CompletionRatio') ?? '');
  if (product === 'new-api' && isJsonObject(completion))
    options.set('CompletionRatio', JSON.stringify(withBuiltIn(completion)));
  const methods = parseJson(options.get('PayMethods') ?? '');
  if (Array.isArray(methods))
    options.set('PayMethods', JSON.stringify(methods.filter(isJsonObject).map(payMethodOf)));
  for (const [key, off] of Object.entries(SWITCHED_OFF)) if (options.has(key)) options.set(key, off);
  return options;
}

/** Icons and colours have no counterpart. */
const payMethodOf = (method: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  name: method['name'],
  type: method['type'],
});

function withBuiltIn(completion: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(completion).map(([model, ratio]) => {
      const family = BUILT_IN_COMPLETION.find(({ name }) => name.test(model));
      return [model, family === undefined ? ratio : family.ratio(model)];
    }),
  );
}
