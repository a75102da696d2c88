import { Injectable } from '@nestjs/common';
import type { Result } from '../../common/result.js';
import { type BoundedReply, fetchBounded, type FetchLimits } from '../../infra/http-client/fetch-bounded.js';
import { withoutTaskPath } from '../../relay-core/providers/registry.js';
import { HttpSender, type UpstreamFault } from '../../relay-core/ports/http-sender.js';
import { proxyOf } from '../channels/state/channel-documents.js';
import { ringOf } from '../channels/state/channel-snapshot.js';
import { ChannelStore } from '../channels/state/channel-store.js';
import { addressOf } from '../channels/state/channel-types.js';

/** Maximum number of keys tried on a channel with several: only one of them knows a task. */
const MAX_KEYS = 10;

/** An operator's account at an upstream that finishes work later. */
export interface TaskAccount {
  /** Without a slash at its end. */
  readonly base: string;
  readonly keys: readonly string[];
  /** Empty = none. */
  readonly proxy: string;
}

export interface TaskQuestion {
  readonly method: 'GET' | 'POST';
  /** Below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Asks channels about tasks: at their own address, through their own proxy, past the guard for outbound calls. */
@Injectable()
export class TaskAccounts {
  constructor(
    private readonly channels: ChannelStore,
    private readonly sender: HttpSender,
  ) {}

  /** @returns null when the channel is gone. Fails: with the database's error, or when the key cannot be opened. */
  async open(channelId: number): Promise<TaskAccount | null> {
    const opened = await this.channels.open(channelId);
    if (opened === null) return null;
    const { channel, key } = opened;
    const ring = ringOf(channel.channelInfo, key);
    const keys = ring === undefined ? [key] : ring.keys.slice(0, MAX_KEYS).map((one) => one.credential);
    return {
      base: withoutTaskPath(addressOf(channel)),
      keys,
      proxy: proxyOf(channel.setting),
    };
  }

  /** Fails: the sender's fault, `timeout`, `too-large`. */
  ask(
    account: TaskAccount,
    question: TaskQuestion,
    limits: FetchLimits,
  ): Promise<Result<BoundedReply, UpstreamFault>> {
    const { method, path, headers, body } = question;
    return fetchBounded(
      this.sender,
      {
        method,
        url: `${account.base}${path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
        ...(account.proxy === '' ? {} : { proxy: account.proxy }),
      },
      limits,
    );
  }
}
