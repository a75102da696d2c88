import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { renderRefusal } from '../errors/render-refusal.js';
import { languageOf } from '../language.js';
import { secondsToWait } from '../retry-after.js';

/** Faults of the framework (`code` of Fastify, status of Nest) that have a sentence of their own. */
const FRAMEWORK_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'media_type_unsupported'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'body_unreadable'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'body_unreadable'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'body_unreadable'],
  ['FST_ERR_BAD_URL', 'address_unreadable'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'address_unreadable'],
]);

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'body_unreadable',
  404: 'not_found',
  413: 'body_too_large',
  415: 'media_type_unsupported',
};

/**
 * Renders every failure of a console route as the envelope. A refusal keeps its sentence; anything else is a bug: logged with its
 * request id, answered without its text.
 */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  private readonly logger = new Logger('Console');

  /** @param translate  knows errors of the stores behind the routes that have a sentence of their own */
  /** @param onRefusal  called with the code of every refusal */
  constructor(
    private readonly translate: (error: unknown) => DomainError | undefined = () => undefined,
    private readonly onRefusal: (code: ErrorCode) => void = () => undefined,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) return;
    this.render(error, request, reply);
  }

  /** Also used by the Fastify hooks, which run before any controller is chosen. */
  render(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const refusal = toRefusal(error) ?? this.translate(error);
    if (refusal === undefined) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const message = `${request.method} ${pathOf(request)} failed: ${text}`;
      this.logger.error({ message, requestId: request.id });
    }
    const { code, values, retryAfterMs } = refusal ?? new DomainError('internal', { requestId: request.id });
    this.onRefusal(code);
    const { status, body } = renderRefusal(code, values, languageOf(request.headers['accept-language']));
    if (retryAfterMs !== undefined) reply.header('Retry-After', secondsToWait(retryAfterMs));
    void reply.status(status).send(body);
  }
}

function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  const named = FRAMEWORK_CODES.get((error as { code?: unknown } | null)?.code);
  if (named !== undefined) return new DomainError(named);
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : (error as { statusCode?: unknown } | null)?.statusCode;
  const code = typeof status === 'number' ? STATUS_CODES[status] : undefined;
  return code === undefined ? undefined : new DomainError(code);
}

/** The path without its query, which may hold secrets. */
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]?.slice(0, 200) ?? '';
