import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { SigningPorts } from '../provider.js';
import { tokenGrantReader } from '../shared/token-grant.js';

/** Lifetime of a token when the answer gives none. */
const USUAL_LIFETIME_SECONDS = 24 * 3_600;

/** Under what the access token of a channel's key is remembered. */
export const tokenKeyOf = ({ credential, baseUrl }: Pick<Route, 'credential' | 'baseUrl'>): string =>
  `baidu:${createHash('sha256').update(`${baseUrl}\n${credential}`).digest('hex')}`;

/**
 * The request with an access token in its address, exchanged for the channel's pair of keys and kept until it ends.
 * @param exchangeAddress  where keys are exchanged
 * Fails: upstream-key-refused, upstream-unreachable, upstream-timeout.
 */
export async function withAccessToken(
  request: UpstreamRequest,
  route: Route,
  exchangeAddress: string,
  { tokens }: SigningPorts,
): Promise<Result<UpstreamRequest, RelayError>> {
  const [clientId = '', clientSecret = ''] = route.credential.split('|').map((part) => part.trim());
  if (clientId === '' || clientSecret === '') {
    return fail(refusal('channel-key-unusable', { why: 'it has the form API key|Secret key' }));
  }
  const exchange = (): UpstreamRequest => {
    const url = new URL(exchangeAddress);
    url.searchParams.set('grant_type', 'client_credentials');
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('client_secret', clientSecret);
    return {
      method: 'POST',
      url: url.href,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'tollgate' },
      body: Buffer.alloc(0),
      ...(request.proxy === undefined ? {} : { proxy: request.proxy }),
    };
  };
  const token = await tokens.tokenOf(tokenKeyOf(route), {
    request: exchange,
    read: tokenGrantReader(USUAL_LIFETIME_SECONDS),
    secrets: [route.credential],
  });
  if (!token.ok) return token;
  const url = new URL(request.url);
  url.searchParams.set('access_token', token.value);
  return ok({ ...request, url: url.href });
}
