import type { ZodError } from 'zod';
import type { Result } from '../../../../common/result.js';
import type { RelayError } from '../../../model/relay-error.js';
import { invalidRequest } from './request-fields.js';

type Issue = ZodError['issues'][number];

/** The first thing that is wrong with a body: where, as a path with dots, and what. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/** Picks, among several allowed forms of which none fits, the one that fits furthest: it was meant. */
export function schemaFault(error: ZodError): SchemaFault {
  const [issue] = error.issues;
  if (issue === undefined) return { path: '', message: 'not valid' };
  const { path, message } = innermost(issue, []);
  return { path: path.map(String).join('.'), message };
}

function innermost(
  issue: Issue,
  prefix: readonly PropertyKey[],
): { readonly path: readonly PropertyKey[]; readonly message: string } {
  const path = [...prefix, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, message: issue.message };
  const firsts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first]));
  const deepest = firsts.toSorted((left, right) => right.path.length - left.path.length)[0];
  if (deepest !== undefined && (deepest.path.length > 0 || firsts.length === 1))
    return innermost(deepest, path);
  const expected = firsts.flatMap((each) => (each.code === 'invalid_type' ? [each.expected] : []));
  return expected.length === 0
    ? { path, message: deepest?.message ?? issue.message }
    : { path, message: `Invalid input: expected ${[...new Set(expected)].join(' or ')}` };
}

/** The refusal of such a body, in the words of OpenAI's API. */
export function invalidBody(error: ZodError): Result<never, RelayError> {
  const { path, message } = schemaFault(error);
  return invalidRequest(`Invalid '${path}': ${message}.`, path);
}
