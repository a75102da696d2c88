import { type ArgumentMetadata, type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../errors/domain-error.js';

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

/** What a size counts, by what it is the size of: one of them, and several. */
const UNITS: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['entry', 'entries']],
  ['set', ['entry', 'entries']],
]);

const mustBe = (form: string | undefined): string =>
  form === undefined || form === '' ? '' : `must be ${form}`;

/** Meta of the schema of a query that a service signed as a whole: one parameter more makes it another document. */
export const SIGNED_QUERY = { signed: true } as const;

/**
 * Validates bodies, queries and path parameters by their zod schema; the refusal names the first wrong field and what is right there.
 * Parameters of a query that a route does not know are ignored, whatever its schema says: clients of this API family send more than any
 * one release reads. In a body an unknown member may be refused.
 */
export const createSchemaPipe = (): PipeTransform<unknown, Promise<unknown>> => {
  const pipe = new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => {
      const [issue] = issues;
      const path = (issue?.path ?? []).map((segment) =>
        String(typeof segment === 'object' ? segment.key : segment),
      );
      return new WrongInputError(
        [...path, ...unknownMembers(issue).slice(0, 1)].join('.'),
        inputProblem(issue),
        issues.flatMap((each) => ((each.path ?? []).length === 0 ? unknownMembers(each) : [])),
      );
    },
  });
  return {
    async transform(value, metadata: ArgumentMetadata): Promise<unknown> {
      try {
        return (await pipe.transform(value, metadata)) as unknown;
      } catch (error) {
        if (!(error instanceof WrongInputError)) throw error;
        if (error.unknown.length > 0 && isOpenQuery(metadata))
          return (await this.transform(without(value, error.unknown), metadata)) as unknown;
        // A value that is wrong as a whole goes by the name of its place: `id` in the path, the body, the query.
        const field = error.path || (metadata.data ?? metadata.type);
        throw new DomainError('malformed_input', { field: field.slice(0, 100), problem: error.problem });
      }
    },
  };
};

function isOpenQuery({ type, data, schema }: ArgumentMetadata): boolean {
  const isSigned = schema instanceof z.ZodType && schema.meta()?.['signed'] === true;
  return type === 'query' && data === undefined && !isSigned;
}

/** The validator tells apart where a member is too much and which ones. */
const unknownMembers = (issue: unknown): readonly string[] =>
  z.object({ code: z.literal('unrecognized_keys'), keys: z.array(z.string()) }).safeParse(issue).data?.keys ??
  [];

const without = (query: unknown, names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([name]) => !names.includes(name)));

/** On its way to the name of the field; `path` is empty when the value as a whole is wrong. */
class WrongInputError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
    readonly unknown: readonly string[],
  ) {
    super(`wrong input: ${path}`);
  }
}

/** What zod says of a wrong value, as far as it is passed on. */
export interface InputIssue {
  readonly code?: unknown;
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly input?: unknown;
  readonly errors?: unknown;
}

/** What would be right in the place of a wrong value, in words; empty = nobody knows. */
export function inputProblem(issue: InputIssue | undefined): string {
  if (issue === undefined) return '';
  const words = issueText(issue);
  return words === '' ? '' : ` (${words})`;
}

function issueText(issue: InputIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(TYPES.get(issue.expected));
    case 'invalid_value':
      return Array.isArray(issue.values) && issue.values.length <= 12
        ? `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
        : '';
    case 'too_small':
      return bound('at least', issue.minimum, issue);
    case 'too_big':
      return bound('at most', issue.maximum, issue);
    case 'unrecognized_keys':
      return 'nobody reads it here';
    case 'invalid_union':
      return unionText(issue.errors);
    default:
      // Rules of our own say what they ask for; the validator's sentences about patterns help nobody.
      return issue.message.startsWith('must ') ? issue.message : '';
  }
}

function bound(words: 'at least' | 'at most', limit: unknown, { origin, inclusive }: InputIssue): string {
  if (typeof limit !== 'bigint' && typeof limit !== 'number') return '';
  const [one, several] = UNITS.get(origin) ?? [];
  if (one !== undefined) return `must have ${words} ${limit} ${Number(limit) === 1 ? one : several}`;
  if (inclusive !== false) return `must be ${words} ${limit}`;
  return `must be ${words === 'at least' ? 'above' : 'below'} ${limit}`;
}

/** What the members of a union ask for: the rule of one that says it, else their forms. */
function unionText(errors: unknown): string {
  const issues = Array.isArray(errors) ? (errors as readonly (readonly UnionIssue[])[]).flat() : [];
  const rule = issues.find(({ code, message }) => code !== 'invalid_union' && message?.startsWith('must '));
  if (rule?.message !== undefined) return rule.message;
  const whole = issues.filter(({ path }) => path === undefined || path.length === 0);
  const forms = whole.flatMap(({ expected }) => TYPES.get(expected) ?? []);
  return mustBe([...new Set(forms)].join(' or '));
}

interface UnionIssue {
  readonly code?: unknown;
  readonly message?: string;
  readonly expected?: unknown;
  readonly path?: readonly unknown[];
}
