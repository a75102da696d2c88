import { type ArgumentMetadata, type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../errors/domain-error.js';
import { storableInput } from './storable-input.js';

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

/** Unit of a size by the type it measures: singular and plural. */
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
 * Parameters of a query that a route does not know are ignored, whatever its schema: clients of this API family send more than any
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
        return (await pipe.transform(storableOf(value, metadata), metadata)) as unknown;
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

/** Inputs without a schema are bytes for somewhere else, or read by a rule of their own. */
const storableOf = (value: unknown, { type, schema }: ArgumentMetadata): unknown =>
  schema === undefined || type === 'custom' ? value : storableInput(value, type);

function isOpenQuery({ type, data, schema }: ArgumentMetadata): boolean {
  const isSigned = schema instanceof z.ZodType && schema.meta()?.['signed'] === true;
  return type === 'query' && data === undefined && !isSigned;
}

/** Names of unknown members that the validator reports; empty for other issues. */
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

/** Members of a zod issue that appear in messages. */
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

/** Describes the accepted values in place of a wrong one; empty when unknown. */
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
        ? `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => (value === '' ? '""' : String(value))).join(', ')}`
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
      // Messages of our own rules begin with "must"; the validator's messages about patterns are no help.
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

/** Requirement of a union: the first rule of a member, else the types of its members. */
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
