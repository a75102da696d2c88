import { type ArgumentMetadata, type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../errors/domain-error.js';
import { inputProblem } from './input-problem.js';

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
