import { type Sentence, sentence, SentenceError } from '../../../../common/import-sentences/sentence.js';
import { createHash } from 'node:crypto';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isJsonObject } from '../../../../common/parse-json.js';
import type { SourceNote } from '../../source/records.js';
import { type Deployment, resolved, type Variables } from './litellm-channels.js';
import { aliasesOf, type Fallback, fallbacksOf } from './router-settings.js';

/** The file cannot be read; the message names the place and never holds a value. */
export class ConfigFileError extends SentenceError {}

/** Additions of the configuration file of LiteLLM to its database. */
export interface LitellmConfig {
  readonly deployments: readonly Deployment[];
  readonly aliases: ReadonlyMap<string, string>;
  readonly fallbacks: readonly Fallback[];
  /** Budget of everyone, in dollars; null = none. */
  readonly budget: { readonly max: number; readonly length: string } | null;
  /** Zone in which days and months begin; empty = not set. */
  readonly timeZone: string;
  readonly notes: readonly SourceNote[];
}

export const NO_CONFIG: LitellmConfig = {
  deployments: [],
  aliases: new Map(),
  fallbacks: [],
  budget: null,
  timeZone: '',
  notes: [],
};

/** Sections that are read, and members of them; what else a file has is named in the report. */
const READ: Readonly<Record<string, readonly string[]>> = {
  model_list: [],
  environment_variables: [],
  router_settings: [
    'model_group_alias',
    'fallbacks',
    'default_fallbacks',
    'context_window_fallbacks',
    'content_policy_fallbacks',
  ],
  litellm_settings: [
    'fallbacks',
    'default_fallbacks',
    'context_window_fallbacks',
    'content_policy_fallbacks',
    'max_budget',
    'budget_duration',
    'timezone',
  ],
  // The master key is a secret of the old installation, and no token here.
  general_settings: ['master_key', 'database_url', 'store_model_in_db', 'salt_key'],
};
const ID_CHARACTERS = 32;

/**
 * Reads a `config.yaml`.
 * @param variables  of the environment; the file's own `environment_variables` count before them
 * Fails: ConfigFileError.
 */
export function readConfigFile(text: string, variables: Variables): LitellmConfig {
  const file = parse(text);
  const own = sectionOf(file, 'environment_variables');
  const known: Variables = (name) => {
    const value = own[name];
    return typeof value === 'string' && !value.startsWith('os.environ/') ? value : variables(name);
  };
  const notes: SourceNote[] = [];
  const note = (kind: SourceNote['kind'], id: string, text: Sentence): void =>
    void notes.push({ kind, table: 'config.yaml', id, sentence: text });
  if (file['include'] !== undefined) note('left-out', 'include', sentence('config_includes'));
  const models = file['model_list'] ?? [];
  if (!Array.isArray(models)) throw new ConfigFileError(sentence('config_models_no_list'));
  const seen = new Map<string, number>();
  const deployments = models.flatMap((entry: unknown, index): Deployment[] => {
    const found = deploymentOf(entry, known, seen);
    if (found === null) note('damaged', String(index + 1), sentence('config_model_incomplete'));
    return found === null ? [] : [found];
  });
  for (const [section, members] of Object.entries(file)) {
    if (!Object.hasOwn(READ, section)) {
      if (section !== 'include') note('unknown', section, sentence('config_section_not_read'));
      continue;
    }
    const allowed = READ[section] ?? [];
    if (allowed.length === 0 || !isJsonObject(members)) continue;
    const rest = Object.keys(members).filter((member) => !allowed.includes(member));
    if (rest.length > 0)
      note('unknown', section, sentence('config_members_unknown', { names: rest.join(', ').slice(0, 400) }));
  }
  const router = sectionOf(file, 'router_settings');
  const settings = sectionOf(file, 'litellm_settings');
  const max = settings['max_budget'];
  const length = settings['budget_duration'];
  return {
    deployments,
    aliases: aliasesOf(router),
    fallbacks: [...fallbacksOf(router), ...fallbacksOf(settings)],
    budget:
      typeof max === 'number' && max > 0 ? { max, length: typeof length === 'string' ? length : '' } : null,
    timeZone: typeof settings['timezone'] === 'string' ? settings['timezone'] : '',
    notes,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let file: unknown;
  try {
    file = load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    const { mark } = error as { readonly mark?: { readonly line?: number } };
    throw new ConfigFileError(
      mark?.line === undefined
        ? sentence('config_not_yaml')
        : sentence('config_not_yaml_at', { line: mark.line + 1 }),
      { cause: error },
    );
  }
  if (!isJsonObject(file)) throw new ConfigFileError(sentence('config_without_sections'));
  return file;
}

function sectionOf(file: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const section = file[name];
  return isJsonObject(section) ? section : {};
}

/** The number of a deployment comes from what it calls: a second run with another order of the file finds it again. */
function deploymentOf(entry: unknown, variables: Variables, seen: Map<string, number>): Deployment | null {
  if (!isJsonObject(entry)) return null;
  const { model_name: name, litellm_params: given, model_info: info } = entry;
  if (typeof name !== 'string' || name === '' || !isJsonObject(given)) return null;
  const { model, api_base: base, api_key: key } = given;
  const digest = createHash('sha256')
    .update(JSON.stringify([name, model, base, key]))
    .digest('hex')
    .slice(0, ID_CHARACTERS);
  const count = (seen.get(digest) ?? 0) + 1;
  seen.set(digest, count);
  const reasons: Sentence[] = [];
  if (typeof given['litellm_credential_name'] === 'string')
    reasons.push(sentence('litellm_credential_in_database'));
  return {
    id: count === 1 ? `config:${digest}` : `config:${digest}:${count}`,
    name,
    params: resolved(given, variables, reasons),
    info: isJsonObject(info) ? info : {},
    createdAt: 0,
    reasons,
  };
}
