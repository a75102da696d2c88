import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';

/**
 * Documents the answer of a console route: the envelope around `data`, and members beside it.
 * Only the OpenAPI document reads this; the answer itself is built by the envelope interceptor.
 */
export const ApiEnvelope = (data?: z.ZodType, members: z.ZodRawShape = {}): MethodDecorator =>
  applyDecorators(ApiResponse({ status: 200, standardSchema: envelopeOf(data, members) }));

const envelopeOf = (data: z.ZodType | undefined, members: z.ZodRawShape) =>
  z.object({
    success: z.boolean(),
    message: z.string(),
    ...(data === undefined ? {} : { data }),
    ...members,
  });
