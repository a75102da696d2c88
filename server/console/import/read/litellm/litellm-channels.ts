import { type Sentence, sentence } from '../../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../../infra/database/foreign-source.js';
import { isJsonObject } from '../../../../common/parse-json.js';
import type { SourceChannel, SourceLimit, SourceNote } from '../../source/records.js';
import { readRows } from '../read-rows.js';
import type { LitellmFacts } from './litellm-facts.js';
import { channelLimits } from './litellm-limits.js';
import type { SecretValues } from './secret-values.js';

/** Type here of a provider that stands before the slash of a model's name. */
const PROVIDERS: Readonly<Record<string, number>> = {
  openai: 1,
  azure: 3,
  ollama: 4,
  ollama_chat: 4,
  anthropic: 14,
  openrouter: 20,
  gemini: 24,
  moonshot: 25,
  perplexity: 27,
  bedrock: 33,
  cohere: 34,
  vertex_ai: 41,
  mistral: 42,
  deepseek: 43,
  xai: 48,
  hosted_vllm: 1,
  text_completion_openai: 1,
};
const BEDROCK = 33;
const VERTEX = 41;
const AZURE = 3;
/** Parameters that have a place here, or change nothing. */
const LIMITS = new Set(['rpm', 'tpm', 'max_budget', 'budget_duration']);
const KNOWN = new Set([
  'model',
  'api_key',
  'api_base',
  'api_version',
  'vertex_project',
  'vertex_location',
  'vertex_credentials',
  'aws_region_name',
  'aws_access_key_id',
  'aws_secret_access_key',
  'input_cost_per_token',
  'output_cost_per_token',
  'use_in_pass_through',
  'merge_reasoning_content_in_choices',
  'litellm_credential_name',
  'custom_llm_provider',
  'organization',
  'use_litellm_proxy',
  'order',
  'weight',
  'timeout',
  'stream_timeout',
  'max_retries',
  'num_retries',
]);

/** A model of LiteLLM with its channel here, and its price. */
export interface LitellmModel {
  readonly channel: SourceChannel;
  readonly names: readonly string[];
  /** Dollars a token; null = not set. */
  readonly inputCost: number | null;
  readonly outputCost: number | null;
  readonly limits: readonly SourceLimit[];
}

/** A deployment of LiteLLM, of its database or its configuration file, with its secrets in clear. */
export interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly info: Readonly<Record<string, unknown>>;
  /** Seconds since 1970; 0 = not known. */
  readonly createdAt: number;
  /** Reasons to arrive switched off. */
  readonly reasons: readonly Sentence[];
}

/** Value of an environment variable of the source; undefined = it is not known here. */
export type Variables = (name: string) => string | undefined;

/** Deployments of the database: each is a channel with one model. */
export function readLitellmModels(
  source: ForeignSource,
  {
    facts,
    secrets,
    variables,
    notes,
  }: {
    readonly facts: LitellmFacts;
    readonly secrets: SecretValues;
    readonly variables: Variables;
    readonly notes: SourceNote[];
  },
): Promise<Deployment[]> {
  return readRows(source, { table: 'LiteLLM_ProxyModelTable', key: 'model_id', notes }, (row) => {
    const reasons: Sentence[] = [];
    const params = { ...opened(row.object('litellm_params'), secrets, reasons) };
    const credential = textOf(params, 'litellm_credential_name');
    const named = facts.credentials.get(credential);
    if (named !== undefined) Object.assign(params, opened(named, secrets, reasons));
    else if (credential !== '') reasons.push(sentence('litellm_credential_missing'));
    if (row.flag('blocked')) reasons.push(sentence('litellm_model_blocked'));
    return {
      id: row.text('model_id'),
      name: row.text('model_name'),
      params: resolved(params, variables, reasons),
      info: row.object('model_info'),
      createdAt: Math.floor((row.moment('created_at') ?? 0) / 1_000),
      reasons,
    };
  });
}

const ENVIRONMENT = 'os.environ/';

/** Parameters with the values of the variables they name. One that is not known leaves no text behind, which would be sent as a key. */
export function resolved(
  params: Readonly<Record<string, unknown>>,
  variables: Variables,
  reasons: Sentence[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value !== 'string' || !value.startsWith(ENVIRONMENT)) return [name, value];
      const variable = value.slice(ENVIRONMENT.length);
      const text = variables(variable);
      if (text === undefined || text === '')
        reasons.push(sentence('litellm_variable_missing', { name, variable: variable.slice(0, 60) }));
      return [name, text ?? ''];
    }),
  );
}

/** The channel of a deployment, with its price and limits. */
export function modelOf(
  { id, name: ownName, params, info, createdAt, reasons: found }: Deployment,
  facts: Pick<LitellmFacts, 'teams' | 'aliases'>,
  units: (dollars: number) => number,
): LitellmModel {
  const reasons = [...found];
  const team = facts.teams.get(textOf(info, 'team_id'));
  const name = textOf(info, 'team_public_model_name') || ownName;
  const [prefix = '', ...rest] = textOf(params, 'model').split('/');
  const provider = textOf(params, 'custom_llm_provider') || (rest.length === 0 ? 'openai' : prefix);
  const upstream = rest.length === 0 ? prefix : rest.join('/');
  const type = PROVIDERS[provider] ?? null;
  if (type === null)
    reasons.push(sentence('litellm_provider_without_counterpart', { provider: provider.slice(0, 40) }));
  if (name.includes('*')) reasons.push(sentence('litellm_name_with_star', { name }));
  const unknown = Object.keys(params).filter((param) => !KNOWN.has(param) && !LIMITS.has(param));
  if (unknown.length > 0) reasons.push(sentence('litellm_parameters_unknown', { names: unknown.join(', ') }));
  const limits = channelLimits({ scope: 'channel', subject: id, name }, params, units);
  if (limits === null) reasons.push(sentence('litellm_channel_budget_not_held'));
  const aliases = [...facts.aliases].filter(([, target]) => target === name).map(([alias]) => alias);
  const names = [name, ...aliases];
  const mapping = Object.fromEntries(names.filter((one) => one !== upstream).map((one) => [one, upstream]));
  const groups =
    team === undefined ? ['default', ...[...facts.teams.values()].map(({ group }) => group)] : [team.group];
  return {
    names,
    inputCost: costOf(params, 'input_cost_per_token'),
    outputCost: costOf(params, 'output_cost_per_token'),
    limits: limits ?? [],
    channel: {
      sourceId: id,
      number: null,
      type,
      typeName: provider,
      name: `${name} (${provider})`,
      key: keyOf(type, params),
      status: 1,
      statusReason: '',
      statusTime: 0,
      channelInfo: '',
      usedQuota: 0,
      createdTime: createdAt,
      testTime: 0,
      responseTime: 0,
      balance: 0,
      balanceUpdatedTime: 0,
      offReasons: reasons.includes(UNREADABLE) ? [UNREADABLE] : reasons,
      fields: {
        base_url: textOf(params, 'api_base').replace(/\/(?:v1\/?)?$/, ''),
        other:
          type === AZURE
            ? textOf(params, 'api_version')
            : type === VERTEX
              ? textOf(params, 'vertex_location')
              : '',
        openai_organization: textOf(params, 'organization'),
        models: names.join(','),
        group: groups.join(','),
        model_mapping: upstream === '' || Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
        priority: -numberOf(params, 'order'),
        weight: Math.max(1, numberOf(params, 'weight')),
      },
    },
  };
}

/** Every string is encrypted by itself; numbers and flags are plain. */
function opened(
  stored: Readonly<Record<string, unknown>>,
  secrets: SecretValues,
  reasons: Sentence[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (value === null) continue;
    if (typeof value !== 'string') {
      values[name] = value;
      continue;
    }
    const text = secrets.open(value);
    if (text !== null) values[name] = text;
    // Some versions store what is no secret in clear, and all of it where no master key was set.
    else if (!mayBeSealed(value)) values[name] = value;
    else if (!reasons.includes(UNREADABLE)) reasons.push(UNREADABLE);
  }
  return values;
}

/** Fewest bytes of a sealed text: nonce and tag. */
const MIN_SEALED = 28;

/** False for a text that no encryption of LiteLLM can have made. */
const mayBeSealed = (text: string): boolean =>
  text.startsWith('v2:gcm:') ||
  (/^[\w+/-]+={0,2}$/.test(text) && (text.replace(/=+$/, '').length * 3) / 4 >= MIN_SEALED);

const UNREADABLE = sentence('litellm_secrets_sealed');

function keyOf(type: number | null, params: Readonly<Record<string, unknown>>): string {
  if (type === BEDROCK)
    return ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name']
      .map((name) => textOf(params, name))
      .join('|');
  return type === VERTEX ? textOf(params, 'vertex_credentials') : textOf(params, 'api_key');
}

function textOf(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  return isJsonObject(value) ? JSON.stringify(value) : '';
}

function numberOf(params: Readonly<Record<string, unknown>>, name: string): number {
  const value = params[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

function costOf(params: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = params[name];
  return typeof value === 'number' && value >= 0 ? value : null;
}
