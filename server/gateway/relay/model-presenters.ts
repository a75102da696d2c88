import type { Dialect } from '../../relay-core/dialects/dialect.js';

/** A moment before any model of these API families; the APIs want one and we know none. */
const CREATED_SECONDS = 1_626_777_600;
const CREATED_AT = new Date(CREATED_SECONDS * 1_000).toISOString();

const EMBEDDING_MODEL = /embed|^bge-|^m3e/i;
const IMAGE_MODEL = /^imagen|(^|\/)imagen/i;
/** Most models of one page. */
const MAX_PAGE = 1_000;

/** A dialect's way to show models. */
export interface ModelPresenter {
  one(model: string): object;
  /** @param query  paging, where the dialect has it */
  list(models: readonly string[], query: URLSearchParams): object;
}

const presentOpenai = (id: string) => ({
  id,
  object: 'model',
  created: CREATED_SECONDS,
  owned_by: 'custom',
  supported_endpoint_types: [EMBEDDING_MODEL.test(id) ? 'embeddings' : 'openai'],
});

/** Fields of Anthropic's list that are unknown for models of channels. */
const UNKNOWN = {
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
  line: null,
  deprecated_at: null,
  retires_at: null,
  allowed_fallback_models: null,
  access_programs: null,
} as const;

const presentAnthropic = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: CREATED_AT,
  lifecycle: 'active',
  // Strictly typed clients want them to be there.
  ...UNKNOWN,
});

const presentGemini = (id: string) => ({
  name: `models/${id}`,
  baseModelId: id,
  version: '001',
  displayName: id,
  description: '',
  supportedGenerationMethods: EMBEDDING_MODEL.test(id)
    ? ['embedContent', 'batchEmbedContents']
    : IMAGE_MODEL.test(id)
      ? ['predict']
      : ['generateContent', 'streamGenerateContent', 'countTokens'],
});

/** Whole number of a query in its range; anything else is the usual one. */
function pageSize(text: string | null, usual: number): number {
  const size = Number(text ?? usual);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, MAX_PAGE) : usual;
}

const placeOf = (models: readonly string[], isThere: (model: string) => boolean): number => {
  const place = models.findIndex(isThere);
  return place === -1 ? models.length : place;
};

/** `limit`, `after_id` and `before_id` (https://docs.claude.com/en/api/models-list, read 2026-11-21). */
function listAnthropic(models: readonly string[], query: URLSearchParams): object {
  const limit = pageSize(query.get('limit'), 20);
  const before = query.get('before_id');
  const after = query.get('after_id');
  // A model that is gone since the last page keeps its place: names are in order.
  const until = before === null ? models.length : placeOf(models, (model) => model >= before);
  const from =
    after !== null
      ? placeOf(models, (model) => model > after)
      : before === null
        ? 0
        : Math.max(0, until - limit);
  const page = models.slice(from, Math.min(from + limit, until));
  return {
    data: page.map(presentAnthropic),
    has_more: before === null ? from + page.length < models.length : from > 0,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  };
}

/** `pageSize` and `pageToken` (https://ai.google.dev/api/models, read 2026-11-21). */
function listGemini(models: readonly string[], query: URLSearchParams): object {
  const size = pageSize(query.get('pageSize') ?? query.get('page_size'), 50);
  const token = Number(query.get('pageToken') ?? query.get('page_token') ?? 0);
  const from = Number.isInteger(token) && token >= 0 ? token : 0;
  const page = models.slice(from, from + size);
  const next = from + page.length;
  return {
    models: page.map(presentGemini),
    ...(next < models.length && page.length > 0 ? { nextPageToken: String(next) } : {}),
  };
}

const OPENAI: ModelPresenter = {
  one: presentOpenai,
  list: (models) => ({ object: 'list', data: models.map(presentOpenai) }),
};

/** Presenter of each dialect; OpenAI's for those without one of their own. */
const PRESENTERS: ReadonlyMap<string, ModelPresenter> = new Map([
  ['anthropic', { one: presentAnthropic, list: listAnthropic }],
  ['gemini', { one: presentGemini, list: listGemini }],
]);

export const presenterOf = (dialect: Dialect): ModelPresenter => PRESENTERS.get(dialect.id) ?? OPENAI;
