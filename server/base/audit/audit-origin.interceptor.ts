import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { runInRequest } from '../../infra/observability/request-scope.js';
import { withAuditOrigin } from './audit-origin.js';

interface RequestWithPerson {
  readonly actor?: { readonly id: number; readonly role: number; readonly username: string };
}

/** Handlers run knowing which request they serve, so that audit rows carry its address, id and person. */
@Injectable()
export class AuditOriginInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest & RequestWithPerson>();
    const origin = { ip: request.ip, requestId: request.id, actor: request.actor ?? null };
    return new Observable((subscriber) =>
      runInRequest(request.id, () => withAuditOrigin(origin, () => next.handle().subscribe(subscriber))),
    );
  }
}
