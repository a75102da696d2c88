import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { api, dataOf } from '../../api/client';
import { fetchRaw } from '../../api/fetch-raw';
import type { LanguageCode } from '../../i18n';

/** In reading order; the server has the texts. */
export const GUIDES = ['start', 'endpoints', 'errors', 'limits', 'clients', 'money'] as const;
export type Guide = (typeof GUIDES)[number];

/** Text of a guide as Markdown. Fails: ApiError. */
export const guideQuery = (guide: Guide, language: LanguageCode) =>
  queryOptions({
    queryKey: ['guides', guide, language],
    queryFn: async ({ signal }) => {
      const answer = await fetchRaw(`/docs/${guide}.md?lang=${language}`, { signal });
      if (!answer.ok) throw new ApiError(answer.status, '');
      return answer.text();
    },
    staleTime: 600_000,
  });

const ENABLED = 1;
const MOST_TOKENS = 20;

/** Key of the newest token that works, as clients send it; null when the account has none. */
export const ownKeyQuery = queryOptions({
  queryKey: ['tokens', 'example-key'],
  queryFn: async ({ signal }) => {
    const query = { p: 0, size: MOST_TOKENS };
    const tokens = await dataOf(api.GET('/api/token', { params: { query }, signal }));
    const token = tokens.find(({ status, key }) => status === ENABLED && key !== '');
    return token === undefined ? null : `sk-${token.key}`;
  },
});
