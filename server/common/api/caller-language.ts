import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageOf } from '../language.js';

/** The language the caller reads, by `Accept-Language`. */
export const CallerLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language => {
  const { headers } = context.switchToHttp().getRequest<{ readonly headers: IncomingHttpHeaders }>();
  return languageOf(headers['accept-language']);
});
