import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { viaEntry } from '../../../relay-core/pipeline/request/via-header.js';
import { GatewayName } from '../../../relay-core/ports/gateway-name.js';

const DIGEST_BYTES = 8;

/** All instances of one deployment have the same CRYPTO_SECRET, and no two deployments should. */
@Injectable()
export class DeploymentName extends GatewayName {
  readonly via: string;

  constructor(env: Env) {
    super();
    const digest = hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'gateway-name', DIGEST_BYTES);
    this.via = viaEntry(Buffer.from(digest).toString('hex'));
  }
}
