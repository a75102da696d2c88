import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { GatewayName } from '../../../relay-core/ports/gateway-name.js';
import { HttpSender } from '../../../relay-core/ports/http-sender.js';
import { MediaFetcher } from '../../../relay-core/ports/media-fetcher.js';
import { TokenCounter } from '../../../relay-core/ports/token-counter.js';

/** Connections to upstreams, and their metrics. */
@Injectable()
export class UpstreamPorts {
  constructor(
    readonly sender: HttpSender,
    readonly media: MediaFetcher,
    readonly counter: TokenCounter,
    readonly gateway: GatewayName,
    readonly clock: Clock,
  ) {}
}
