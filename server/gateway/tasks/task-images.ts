import { contained } from '../../common/contain-faults.js';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { queryOf } from '../http/relay-paths.js';
import { answer, commonHeaders } from '../http/relay-replies.js';
import { DrawingsRepository } from './drawings.repository.js';
import { openTaskImage } from './task-image-source.js';
import { TaskImageSignatures } from './task-image-signatures.js';
import { isOver } from './task-rows.js';

/** Maximum number of concurrent images of this process. */
const MAX_AT_ONCE = 64;
const DAY_SECONDS = 86_400;

/** A signed link shows its image; it is fetched anew each time, nothing is kept. */
@Injectable()
export class TaskImages {
  private underWay = 0;

  constructor(
    private readonly drawings: DrawingsRepository,
    private readonly signatures: TaskImageSignatures,
    private readonly client: OutboundClient,
  ) {}

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params as { readonly id: string };
    const sign = new URLSearchParams(queryOf(request.url)).get('sign') ?? '';
    const named = sign === '' ? [] : await this.drawings.named(id);
    const drawing = named.find((row) => this.signatures.isSame(this.signatures.sign(row), sign));
    if (drawing === undefined || drawing.imageUrl === '')
      return answer(request, reply, 400, { error: 'midjourney_task_not_found' });
    if (this.underWay >= MAX_AT_ONCE) return answer(request, reply, 503, { error: 'too_many_pictures' });
    this.underWay += 1;
    const picture = await openTaskImage(this.client, drawing.imageUrl);
    if (!picture.ok) {
      this.underWay -= 1;
      return answer(request, reply, picture.error.status, { error: picture.error.text });
    }
    const { body, mediaType } = picture.value;
    const forget = (): void => {
      this.underWay -= 1;
    };
    body.once('close', contained(forget));
    return reply
      .code(200)
      .headers({
        ...commonHeaders(request.id),
        'content-type': mediaType,
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': isOver(drawing) ? `private, max-age=${DAY_SECONDS}` : 'no-store',
      })
      .send(body);
  }
}
