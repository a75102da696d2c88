import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { configuredAddress } from '../../base/options/configured-address.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { DrawingEntity } from './drawing.entity.js';
import { TaskImageSignatures } from './task-image-signatures.js';
import { isOver } from './task-rows.js';

/** Where a drawing's picture is to be found: at the upstream, or at our own address, which hides the upstream. */
@Injectable()
export class TaskImageLinks {
  constructor(
    private readonly options: OptionsService,
    private readonly signatures: TaskImageSignatures,
    private readonly env: Env,
  ) {}

  /** @returns empty when there is no picture yet */
  linkOf(drawing: DrawingEntity): string {
    const { MjForwardUrlEnabled: isForwarded } = this.options.values();
    if (drawing.imageUrl === '' || !isForwarded) return drawing.imageUrl;
    const address = configuredAddress(this.options.values(), this.env);
    const query = new URLSearchParams({
      sign: this.signatures.sign(drawing),
      // The picture of an unfinished drawing changes: whoever keeps pictures by their address asks again.
      ...(isOver(drawing) ? {} : { rand: randomBytes(6).toString('hex') }),
    });
    return `${address}/mj/image/${encodeURIComponent(drawing.mjId)}?${query.toString()}`;
  }
}
