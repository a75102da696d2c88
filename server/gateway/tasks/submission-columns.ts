import { SmallColumn } from '../../infra/database/columns.js';

/** Columns of whatever an upstream took on: who submitted it with which key, and which channel has it. */
export abstract class SubmissionColumns {
  @SmallColumn('user_id')
  userId!: number;

  /** 0 = none. */
  @SmallColumn('token_id', { default: 0 })
  tokenId!: number;

  /** 1 = the token was limited, so that the charge counted against it. */
  @SmallColumn('token_limited', { default: 0 })
  tokenLimited!: number;

  @SmallColumn('channel_id', { default: 0 })
  channelId!: number;
}
