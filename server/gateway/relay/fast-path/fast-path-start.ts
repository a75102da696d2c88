import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { readProxyTrust } from '../../../common/api/client-address.js';
import { OwnHosts } from '../../../common/api/own-hosts.js';
import { Env } from '../../../config/env.js';
import { Ids } from '../../../common/ids.js';
import { CallRunner } from '../call-runner.js';
import { RelayHandler } from '../relay-handler.js';
import { openFastPath } from './fast-path.js';

/** Opens the fast path by the environment. */
@Injectable()
export class FastPathStart {
  constructor(
    private readonly runner: CallRunner,
    private readonly relay: RelayHandler,
    private readonly ids: Ids,
    private readonly hosts: OwnHosts,
    private readonly env: Env,
  ) {}

  on(server: Server): void {
    const { relay, ids, hosts, env } = this;
    if (!env.usesFastPath) return;
    const trust = readProxyTrust(env.trustProxy);
    openFastPath(server, { relay, ids, trust, hosts, basePath: env.basePath, routes: this.runner.routes });
  }
}
