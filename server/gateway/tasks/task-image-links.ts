import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { configuredAddress } from '../../base/options/server-address.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { DrawingEntity } from './drawing.entity.js';
import { TaskImageSignatures } from './task-image-signatures.js';
import { isOver } from './task-rows.js';

/** Address of a drawing's image: at the upstream, or at our own address, which hides the upstream. */
@Injectable()
export class TaskImageLinks {
  constructor(
    private readonly options: OptionsService,
    private readonly signatures: TaskImageSignatures,
    private readonly env: Env,
  ) {}

  /** @returns empty when there is no image yet */
  linkOf(drawing: DrawingEntity): string {
    const { MjForwardUrlEnabled: isForwarded } = this.options.values();
    if (drawing.imageUrl === '' || !isForwarded) return drawing.imageUrl;
    const address = configuredAddress(this.options.values(), this.env);
    const query = new URLSearchParams({
      sign: this.signatures.sign(drawing),
      // The image of an unfinished drawing changes: the random part defeats caches.
      ...(isOver(drawing) ? {} : { rand: randomBytes(6).toString('hex') }),
    });
    return `${address}/mj/image/${encodeURIComponent(drawing.mjId)}?${query.toString()}`;
  }
}
