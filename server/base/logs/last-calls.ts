import { Injectable } from '@nestjs/common';
import { LOG_TYPE } from './log.codes.js';
import { LogsRepository } from './logs.repository.js';

/** A charged call as the log has it. */
export interface LastCall {
  /** Seconds. */
  readonly at: number;
  readonly model: string;
  readonly requestId: string;
}

/** The newest charged call of a token, read by the index of its lines. */
@Injectable()
export class LastCalls {
  constructor(private readonly logs: LogsRepository) {}

  /** Null when the log has no charged call of the token and its owner. */
  async ofToken(owner: { readonly userId: number; readonly tokenId: number }): Promise<LastCall | null> {
    const [line] = await this.logs.list({ ...EVERY_LINE, ...owner, type: LOG_TYPE.consumption }, 0, 1);
    return line === undefined
      ? null
      : { at: line.createdAt, model: line.modelName, requestId: line.requestId ?? '' };
  }
}

const EVERY_LINE = {
  username: '',
  tokenName: '',
  modelName: '',
  channelId: 0,
  group: '',
  hadFailedAttempt: false,
  requestId: '',
  fromSeconds: undefined,
  toSeconds: undefined,
} as const;
