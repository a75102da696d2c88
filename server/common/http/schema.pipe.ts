import { type ArgumentMetadata, type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../errors/domain-error.js';

/** Validates bodies, queries and path parameters by their zod schema; the refusal names the first wrong field, not the validator's words. */
export const createSchemaPipe = (): PipeTransform<unknown, Promise<unknown>> => {
  const pipe = new StandardSchemaValidationPipe({
    exceptionFactory: ([issue]) =>
      new WrongInputError(
        [
          ...(issue?.path ?? []).map((segment) =>
            String(typeof segment === 'object' ? segment.key : segment),
          ),
          ...unknownMember(issue),
        ].join('.'),
      ),
  });
  return {
    async transform(value, metadata: ArgumentMetadata): Promise<unknown> {
      try {
        return (await pipe.transform(value, metadata)) as unknown;
      } catch (error) {
        if (!(error instanceof WrongInputError)) throw error;
        // A value that is wrong as a whole goes by the name of its place: `id` in the path, the body, the query.
        const field = error.path || (metadata.data ?? metadata.type);
        throw new DomainError('malformed_input', { field: field.slice(0, 100), problem: '' });
      }
    },
  };
};

/** The validator tells apart where a member is too much and which one. */
const unknownMember = (issue: unknown): readonly string[] =>
  z
    .object({ code: z.literal('unrecognized_keys'), keys: z.array(z.string()) })
    .safeParse(issue)
    .data?.keys.slice(0, 1) ?? [];

/** On its way to the name of the field; `path` is empty when the value as a whole is wrong. */
class WrongInputError extends Error {
  constructor(readonly path: string) {
    super(`wrong input: ${path}`);
  }
}
