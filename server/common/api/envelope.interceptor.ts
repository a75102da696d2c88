import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type Envelope, EnvelopeReply } from '../envelope.js';

/** Wraps what a controller returned into `{success, message, data}`. The relay's routes do not pass here. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<Envelope> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => toEnvelope(result, reply)));
  }
}

function toEnvelope(result: unknown, reply: FastifyReply): Envelope {
  if (!(result instanceof EnvelopeReply)) return withData({ success: true, message: '' }, result);
  reply.headers(result.headers);
  return withData({ ...result.members, success: result.success, message: result.message }, result.data);
}

const withData = (envelope: Envelope, data: unknown): Envelope =>
  data === undefined ? envelope : { ...envelope, data };
