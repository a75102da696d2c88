import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { viaEntry } from '../../../relay-core/pipeline/request/via-header.js';
import { GatewayName } from '../../../relay-core/ports/gateway-name.js';

const DIGEST_BYTES = 8;
const KEY_BYTES = 32;

/** All instances of one deployment have the same CRYPTO_SECRET, and no two deployments should. */
@Injectable()
export class DeploymentName extends GatewayName {
  readonly via: string;
  private readonly userKey: Buffer;

  constructor(env: Env) {
    super();
    const digest = hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'gateway-name', DIGEST_BYTES);
    this.via = viaEntry(Buffer.from(digest).toString('hex'));
    this.userKey = Buffer.from(hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'end-user', KEY_BYTES));
  }

  digestOf(userId: string): string {
    return createHmac('sha256', this.userKey).update(userId).digest('hex');
  }
}
