import type { Operation } from '../../model/operation.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { TranslatedCall } from './call-types.js';

/** The call with headers more. */
export const withHeaders = <O extends Operation>(
  translated: TranslatedCall<O>,
  along: Readonly<Record<string, string>>,
): TranslatedCall<O> => ({
  ...translated,
  request: withMore(translated.request, along),
  ...(translated.parts === undefined
    ? {}
    : {
        parts: {
          ...translated.parts,
          requests: translated.parts.requests.map((request) => withMore(request, along)),
        },
      }),
});

const withMore = (request: UpstreamRequest, along: Readonly<Record<string, string>>): UpstreamRequest => ({
  ...request,
  headers: { ...request.headers, ...along },
});
