import { fail, ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import { mostExpensiveOutput } from '../../model/price-snapshot.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { ChannelAdmission } from '../../ports/channel-limits.js';
import type { WorstCase, Quote } from '../../ports/price-book.js';
import type { Hold } from '../../ports/quota-holds.js';
import type { Estimate } from '../../formats/contract/produced-text.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import {
  boundParts,
  boundOutput,
  isSmallInput,
  largestInput,
  mostDelivered,
  type RequestFacts,
} from './bound-usage.js';
import { CHECKPOINT_CHUNKS, CHECKPOINT_MS, EXTENSION_SHARE, EXTENSION_TOKENS } from '../context/limits.js';
import type { RelayPorts } from '../context/relay-ports.js';

/** `stop`: the covered output is used up and no more is to be had. `wait`: an extension is on its way. */
export type HoldState = 'covered' | 'wait' | 'stop';

/**
 * Watches what a running stream produces against what its hold covers: writes checkpoints, extends the hold before it
 * is used up, and says when to stop: without a further hold, or when more came than the request allows. Counting looks at new text only,
 * and only when the bound could have been passed.
 */
export class HoldExtender {
  refusal: RelayError | undefined;

  private covered: number;
  private chunks = 0;
  private lastCheckpointMs: number;
  private isExtending = false;
  private isOverspent = false;
  private lastCount = 0;
  /** Output tokens, by our own count, at which the stream is stopped whatever could be held. */
  private readonly most: number;
  /** Most input that is believed; a request is read once for it, however often the report changes. */
  private largestInput: number | undefined;

  constructor(
    private readonly ports: Pick<RelayPorts, 'quota'>,
    private readonly call: {
      readonly shape: CallShape;
      readonly quote: Quote;
      readonly worstCase: WorstCase;
      readonly route: RequestFacts['route'];
      readonly requestBody: Buffer;
      /** The vendor may read more than the request names; see `RequestFacts`. */
      readonly readsMore: boolean;
      readonly meter: ReplyMeter;
      readonly estimate: Estimate;
      /** The hold may grow; the settlement uses the latest. */
      readonly holdRef: { hold: Hold };
      /** Room under the limits of the channel; absent = it has none. */
      readonly admission?: ChannelAdmission | undefined;
      /** An extension came or was refused: a waiting stream may go on or must stop. */
      readonly onDecided: () => void;
    },
    nowMs: number,
  ) {
    this.covered = call.worstCase.outputTokens;
    this.most = mostDelivered(call);
    this.lastCheckpointMs = nowMs;
  }

  /** @param events  how many came since the last time; they may have come together */
  afterEvents(events: number, nowMs: number): HoldState {
    this.chunks += Math.max(1, events);
    if (this.chunks >= CHECKPOINT_CHUNKS || nowMs - this.lastCheckpointMs >= CHECKPOINT_MS)
      this.checkpoint(nowMs);
    return this.compare();
  }

  /** Checkpoints what came since the last one, if anything did. */
  tick(nowMs: number): void {
    if (this.chunks > 0 && nowMs - this.lastCheckpointMs >= CHECKPOINT_MS) this.checkpoint(nowMs);
  }

  private checkpoint(nowMs: number): void {
    this.chunks = 0;
    this.lastCheckpointMs = nowMs;
    const { quote, holdRef } = this.call;
    const usage = this.usageSoFar();
    this.ports.quota.recordCheckpoint(holdRef.hold, usage);
    // Not only words cost: the vendor's report of what it read, or ran, may be more than the prompt was taken for.
    this.isOverspent = quote.charge(usage) > holdRef.hold.amount * SLACK;
  }

  /** Usage of what came, the vendor's report within its bounds included: nothing above them is held or recovered. */
  private usageSoFar(): Usage {
    const { meter, estimate } = this.call;
    const usage = meter.usage === undefined ? undefined : boundParts(meter.usage, meter, this.call).usage;
    // The next comparison begins here: this text is counted now.
    const counted = (this.lastCount = meter.produced.running(estimate));
    const { tokens, isBounded } =
      usage === undefined ? NO_REPORT : boundOutput(usage, counted, meter.hasUnread, this.call);
    return {
      input: this.inputSoFar(usage),
      output: {
        ...meter.produced.media,
        ...(isBounded ? {} : usage?.output),
        total: Math.max(counted, tokens),
      },
      ...(meter.units === undefined ? {} : { units: meter.units }),
      ...(meter.serviceTier === undefined ? {} : { serviceTier: meter.serviceTier }),
    };
  }

  private inputSoFar(usage: Usage | undefined): Usage['input'] {
    const { promptTokens } = this.call.shape;
    const total = usage?.input.total;
    if (total === undefined) return { ...usage?.input, total: promptTokens };
    const isBelieved =
      isSmallInput(total, this.call) || total <= (this.largestInput ??= largestInput(this.call));
    return isBelieved ? { ...usage?.input, total } : { total: promptTokens };
  }

  /** From now on what is held has to be enough. */
  stopExtending(reason: RelayError): void {
    this.refusal ??= reason;
  }

  /** Also asked after an extension was decided. */
  compare(): HoldState {
    const { meter, shape, worstCase } = this.call;
    const { produced } = meter;
    const bound = this.lastCount + produced.uncounted;
    // Images and audio are held for at their largest, which an answer may use up.
    const isHeldWhole = shape.heldOutput !== undefined;
    const isCapped = isHeldWhole || worstCase.outputCap !== undefined;
    const used = isHeldWhole ? SLACK : isCapped ? 1 : EXTENSION_SHARE;
    const share = Math.min(this.most, this.covered * used);
    if (bound < share && !this.isOverspent) return 'covered';
    this.lastCount = produced.running(this.call.estimate);
    if (this.lastCount > this.most) {
      this.refusal = refusal('answer-above-cap');
      return 'stop';
    }
    if (this.lastCount < share && !this.isOverspent) return 'covered';
    if (!this.isExtending && this.refusal === undefined) this.extend();
    // Below a cap the count is an estimate of what the vendor counts, and must not cut an answer that keeps to it.
    const limit = isCapped ? this.covered * SLACK + SLACK_TOKENS : this.covered;
    if (this.lastCount < limit && !this.isOverspent) return 'covered';
    return this.refusal === undefined ? 'wait' : 'stop';
  }

  private extend(): void {
    const { quote, worstCase, shape, holdRef, meter } = this.call;
    const more = Math.max(this.covered, this.lastCount) + EXTENSION_TOKENS * worstCase.choices;
    const input = { total: shape.promptTokens };
    // Vendors name the class of service with the first event.
    const served = meter.serviceTier === undefined ? {} : { serviceTier: meter.serviceTier };
    const output = mostExpensiveOutput(quote.snapshot, more);
    const grown =
      quote.charge({ input, output, ...served }) -
      quote.charge({ input, output: mostExpensiveOutput(quote.snapshot, this.covered), ...served });
    const soFar = this.usageSoFar();
    const missing = quote.charge({ ...soFar, output: { ...soFar.output, ...output } }) - holdRef.hold.amount;
    const by = Math.max(grown, missing);
    const { admission } = this.call;
    if (by <= 0 && admission === undefined && holdRef.hold.isTokenLimited !== true) {
      this.covered = more;
      this.isOverspent = false;
      return;
    }
    this.isExtending = true;
    this.growBy(Math.max(0, by) as Hold['amount'], more - this.covered).then(
      (extended) => {
        this.isExtending = false;
        if (extended.ok) {
          holdRef.hold = extended.value;
          this.covered = more;
          this.isOverspent = false;
        } else this.refusal = extended.error;
        this.call.onDecided();
      },
      (cause: unknown) => {
        this.isExtending = false;
        this.refusal = { ...refusal('answer-quota'), cause, retryAfterMs: 1_000 };
        this.call.onDecided();
      },
    );
  }

  /** More of the account's quota, where the limits of the channel have room for it. */
  private growBy(quota: Hold['amount'], outputTokens: number): Promise<Result<Hold, RelayError>> {
    const { admission, holdRef } = this.call;
    const output = Math.max(0, outputTokens);
    const extend = (): Promise<Result<Hold, RelayError>> =>
      this.ports.quota.extend(holdRef.hold, quota, { input: 0, output });
    if (admission === undefined) return extend();
    const growing = admission.grow({ quota, inputTokens: 0, outputTokens: output });
    return Promise.resolve(growing).then((hasRoom) => {
      if (!hasRoom) return fail(CHANNEL_LIMIT);
      return quota === 0 && holdRef.hold.isTokenLimited !== true ? ok(holdRef.hold) : extend();
    });
  }
}

const CHANNEL_LIMIT = refusal('channel-limit');
const NO_REPORT = { tokens: 0, isBounded: false } as const;

/** An estimate of tokens may be this far off. */
const SLACK = 1.25;
const SLACK_TOKENS = 16;
