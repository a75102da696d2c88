import type { CustomFetch } from 'openid-client';
import type { IdentityFetcher } from '../identity-fetcher.js';
import { PROVIDER_FACTS } from '../../../base/access/identity-providers.js';

export interface FetchOptions {
  /** Documents count by what they hold, whatever their server calls them. */
  readonly readsAnyTypeAsJson?: boolean;
  /** Without a provider's keys its id tokens cannot be checked: then they are left out. */
  readonly dropsIdTokens?: boolean;
}

/**
 * The `customFetch` of openid-client: its requests through the outbound policy, within our time and size; redirects are not
 * followed.
 * Fails: `ProviderUnreachable`, which becomes the `cause` of the library's error.
 */
export const guardedFetch =
  (fetcher: IdentityFetcher, wanted: FetchOptions): CustomFetch =>
  async (url, { method, headers, body }) => {
    const text =
      body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
    const reply = await fetcher.send(PROVIDER_FACTS.oidc.label, {
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      body: text,
    });
    const named = reply.headers['content-type'];
    const type = typeof named === 'string' && wanted.readsAnyTypeAsJson !== true ? named : 'application/json';
    const answer = new Response(new Uint8Array(reply.body), {
      status: reply.status,
      headers: { 'content-type': type },
    });
    return wanted.dropsIdTokens === true && method === 'POST' && reply.status === 200
      ? withoutIdToken(answer)
      : answer;
  };

async function withoutIdToken(answer: Response): Promise<Response> {
  const { id_token: _unchecked, ...rest } = (await answer.json()) as Record<string, unknown>;
  return Response.json(rest);
}
