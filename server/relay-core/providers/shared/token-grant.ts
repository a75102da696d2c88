import { documentOf, numberOf, parseDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import type { TokenGrant } from '../../ports/vendor-tokens.js';

/** Reads the answer of an OAuth token endpoint; undefined = it grants nothing. */
export const tokenGrantReader =
  (usualLifetimeSeconds: number) =>
  (body: Buffer): TokenGrant | undefined => {
    const answer = documentOf(parseDocument(body));
    const token = textOf(answer['access_token']);
    const lifetimeSeconds = numberOf(answer['expires_in']) ?? usualLifetimeSeconds;
    return token === undefined || lifetimeSeconds <= 0 ? undefined : { token, lifetimeSeconds };
  };
