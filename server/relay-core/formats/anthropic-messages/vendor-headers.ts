import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import { invalidRequest } from '../shared/fields/request-fields.js';
import type { CallTarget } from '../contract/api-format.js';

const VERSION_HEADER = 'anthropic-version';
export const BETA_HEADER = 'anthropic-beta';

const MAX_BETA_LENGTH = 1_024;
const VERSION = /^\d{4}-\d{2}-\d{2}$/;
const BETA = /^[A-Za-z0-9._-]{1,80}$/;

/**
 * The request headers that belong to this format, checked: they go on to vendors of the same format.
 * Fails: invalid-request, when one is too long or holds anything but names.
 */
export function readVendorHeaders(
  headers: CallTarget['headers'],
): Result<Readonly<Record<string, string>>, RelayError> {
  const found: Record<string, string> = {};
  const version = headers[VERSION_HEADER];
  if (version !== undefined && version !== '') {
    if (typeof version !== 'string' || !VERSION.test(version.trim())) {
      return invalidRequest(`${VERSION_HEADER}: expected one date such as 2023-06-01.`, VERSION_HEADER);
    }
    found[VERSION_HEADER] = version.trim();
  }
  const betas = listBetas(headers[BETA_HEADER]);
  if (betas === undefined) {
    return invalidRequest(
      `${BETA_HEADER}: expected names of features, separated by commas, ${MAX_BETA_LENGTH} characters at most.`,
      BETA_HEADER,
    );
  }
  if (betas.length > 0) found[BETA_HEADER] = betas.join(',');
  return ok(found);
}

/** Names of beta features in a header, each once; undefined = it holds something else. */
export function listBetas(header: string | readonly string[] | undefined): readonly string[] | undefined {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(',');
  if (text.length > MAX_BETA_LENGTH) return undefined;
  const names = new Set<string>();
  for (const item of text.split(',')) {
    const name = item.trim();
    if (name === '') continue;
    if (!BETA.test(name)) return undefined;
    names.add(name);
  }
  return [...names];
}
