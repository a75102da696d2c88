import { StandardSchemaValidationPipe } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';

/** Validates bodies, queries and path parameters by their zod schema; the refusal names the first wrong field, not the validator's words. */
export const createSchemaPipe = (): StandardSchemaValidationPipe =>
  new StandardSchemaValidationPipe({
    exceptionFactory: ([issue]) => {
      const path = (issue?.path ?? []).map((segment) =>
        String(typeof segment === 'object' ? segment.key : segment),
      );
      return new DomainError('malformed_input', {
        field: path.join('.').slice(0, 100) || 'body',
        problem: '',
      });
    },
  });
