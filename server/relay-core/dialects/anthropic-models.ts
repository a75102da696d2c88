/** Models as this dialect lists them: https://docs.claude.com/en/api/models-list (read 2026-11-21). */
export interface AnthropicModel {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
}

/** A moment the API wants and we do not know. */
const CREATED_AT = '2021-07-20T16:00:00Z';
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 1_000;

export const presentAnthropicModel = (id: string): AnthropicModel => ({
  type: 'model',
  id,
  display_name: id,
  created_at: CREATED_AT,
});

export interface AnthropicModelPage {
  readonly data: readonly AnthropicModel[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/**
 * One page of a caller's models.
 * @param query  query string without its question mark: `limit`, `after_id`, `before_id`; a limit that is no number from 1
 *               to 1,000 is not looked at. Without one the page holds all, since lists of ours are short.
 */
export function listAnthropicModels(ids: readonly string[], query: string): AnthropicModelPage {
  const parameters = new URLSearchParams(query);
  const asked = Number(parameters.get('limit') ?? DEFAULT_LIMIT);
  const limit = Number.isInteger(asked) && asked >= 1 && asked <= MAX_LIMIT ? asked : DEFAULT_LIMIT;
  const after = indexOf(ids, parameters.get('after_id'));
  const before = indexOf(ids, parameters.get('before_id'));
  const end = before === -1 ? ids.length : before;
  const start = after !== -1 ? after + 1 : before === -1 ? 0 : Math.max(0, end - limit);
  const page = ids.slice(start, Math.min(end, start + limit));
  const hasMore = before !== -1 && after === -1 ? start > 0 : start + page.length < end;
  return {
    data: page.map(presentAnthropicModel),
    has_more: hasMore,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  };
}

const indexOf = (ids: readonly string[], id: string | null): number => (id === null ? -1 : ids.indexOf(id));

/** Whether a request for `/v1/models` comes from a client of this dialect (relay reference 1.10). */
export const asksForAnthropicModels = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean => headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined;
