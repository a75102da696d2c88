import type { Attempt } from '../model/call.js';
import { NOT_RECORDED } from '../model/call-failures.js';
import type { Operation } from '../model/operation.js';
import { isAboutChannel, type RelayError } from '../model/relay-error.js';
import { knownWarnings, withUnread, type Warning } from '../model/warning.js';
import type { Conversation } from '../ports/channel-affinity.js';
import type { Route } from '../ports/channel-picker.js';
import type { WorstCase } from '../ports/price-book.js';
import type { Hold } from '../ports/quota-holds.js';
import type { AttemptEnd, ReplyRecord } from './context/attempt.js';
import { type Measure, measureReply } from './reply/measure-reply.js';
import { estimateCut, mustEstimate } from './reply/estimate-cut.js';
import { requestedEffort } from './request/requested-effort.js';
import { hostsOfCall, refuseClosedNames } from './request/refuse-hosts.js';
import { withOverride } from './request/overrides/attempt-overrides.js';
import { finalError } from './reply/reply-errors.js';
import { nativeChannels } from './request/native-channels.js';
import { mayRetry } from './context/retry-policy.js';
import { chooseChannel } from './stages/choose-channel.js';
import { channelRequestOf, recordAnswer, recordAttemptFailure } from './stages/record-call.js';
import { relayReply } from './stages/relay-reply.js';
import type { Reservation } from './stages/reserve-quota.js';
import { describeCall } from './stages/settle-call.js';
import type { TranslatedCall } from './context/call-types.js';
import { translateCall, withHeaders } from './stages/translate-call.js';
import type { ServedCall } from './context/served-call.js';
import { keptTokensOf, recordIds, StoredIdCheck } from './stages/stored-id-check.js';

/** A request that left, and by which way. */
interface SentRequest {
  readonly route: Route;
  readonly worstCase: WorstCase;
  readonly body: Buffer | undefined;
  /** The upstream has the caller's API. */
  readonly isNative: boolean;
}

/**
 * Stages 6 to 11 of one call, on one channel after the other until one answers. Nothing is retried once the client has a byte of an answer.
 * One object for all of a call's attempts, whose steps call one another: each step may be the last of a turn of the event loop,
 * and the next one begins where something came. Whatever is thrown in one of them ends in `onUnexpectedError`.
 */
export class AttemptLoop<O extends Operation> {
  private readonly holdRef: { hold: Hold };
  private readonly attempts: Attempt[] = [];
  /** Channels of the failed attempts, one entry for each. */
  private readonly tried: number[] = [];
  private conversation: Conversation | undefined;
  private attempt = 0;
  private startedAtMs = 0;
  private failure: RelayError | undefined;
  private warnings: readonly Warning[] = [];
  private idCheck: StoredIdCheck | undefined;
  private isSettled = false;
  /** A channel was asked once more because its access token had ended. */
  private isTokenRenewed = false;
  /** Retries of this call that the budget gets back when an answer begins. */
  private retriesToRefund = 0;

  constructor(
    private readonly served: ServedCall<O>,
    private readonly reserved: Reservation,
  ) {
    this.holdRef = { hold: reserved.hold };
  }

  start(): void {
    try {
      const { ports, call, caller, clientCall, startedMs } = this.served;
      ports.retries.countCall(startedMs);
      const { shape, document } = clientCall.parsed;
      const finding = ports.affinity?.find({ call, caller, model: shape.model, document });
      if (!(finding instanceof Promise)) return this.begin(finding);
      finding.then((conversation) => this.begin(conversation)).catch(this.onUnexpectedError);
    } catch (fault) {
      this.onUnexpectedError(fault);
    }
  }

  private begin(conversation: Conversation | undefined): void {
    this.conversation = conversation;
    const { ports, caller, clientCall } = this.served;
    this.idCheck = StoredIdCheck.of(ports, caller.userId, clientCall);
    const looking = this.idCheck?.lookUp();
    if (looking === undefined) this.tryChannel();
    else looking.then(() => this.tryChannel()).catch(this.onUnexpectedError);
  }

  // ── stages 6 and 7 ────────────────────────────────────────────────────────────────────────────────────────────────

  private tryChannel(): void {
    const { ports, caller, clientCall, operation, options } = this.served;
    const { model, promptTokens } = clientCall.parsed.shape;
    const { attempt, conversation } = this;
    ports.observer?.enter('choose-channel');
    const chosen = chooseChannel(ports, {
      caller,
      model,
      attempt,
      tried: this.tried,
      boundChannelId: conversation?.boundChannelId,
      requiredAccount: this.idCheck?.place,
      promptTokens,
      isNative: nativeChannels(ports, { clientCall, operation, options, group: caller.group }),
      view: this.served.channels,
    });
    if (!chosen.ok) return this.fail(this.finalFailure(this.failure) ?? chosen.error);
    this.prepare(withOverride(chosen.value, conversation?.paramOverride));
  }

  /** A name may lead into the network of an upstream that is there; the others fetch from the internet. */
  private prepare(route: Route): void {
    const { ports, clientCall } = this.served;
    this.startedAtMs = ports.clock.nowMs();
    const looking = refuseClosedNames(ports.addresses, hostsOfCall(clientCall.parsed), route.baseUrl);
    if (looking === undefined) return this.translate(route);
    looking
      .then((refusal) => (refusal === undefined ? this.translate(route) : this.onFailed(route, refusal)))
      .catch(this.onUnexpectedError);
  }

  private translate(route: Route): void {
    const { ports, call, caller, clientCall, operation } = this.served;
    const { attempt } = this;
    ports.observer?.enter('translate-call');
    const translating = translateCall(ports, {
      clientCall,
      operation,
      route,
      affordableCap: this.reserved.affordableCap,
      options: this.served.options,
      attempt: {
        call,
        model: clientCall.parsed.shape.model,
        index: attempt,
        lastError: this.failure,
        isChannelTest: caller.isChannelTest === true,
        ownerId: caller.userId,
      },
    });
    if (translating instanceof Promise)
      translating.then((translated) => this.leave(route, translated)).catch(this.onUnexpectedError);
    else this.leave(route, translating);
  }

  /**
   * Record D first: what is not on record must not go upstream. Nor must a request that may cost more than is held, because an
   * adapter, a minimum of the format, the model behind a mapping or the operator's override asks for more than the caller did.
   */
  private leave(route: Route, translated: Awaited<ReturnType<typeof translateCall<O>>>): void {
    if (!translated.ok) return this.onFailed(route, translated.error);
    if (this.served.client.isGone) return this.retry(route, this.served.client.closeReason);
    const refusal = this.idCheck?.refusal(translated.value.request.body, route);
    if (refusal === undefined) this.holdForSent(route, translated.value);
    else this.onFailed(route, refusal);
  }

  private holdForSent(route: Route, translated: TranslatedCall<O>): void {
    const { client, ports, quote } = this.served;
    if (client.isGone) return this.retry(route, client.closeReason);
    this.warnings = knownWarnings(translated.warnings);
    client.warnings = this.warnings;
    const { sent, route: served } = translated;
    const worstCase = quote.worstCaseOf(sent, served.upstreamModel);
    const missing = worstCase.estimate - this.holdRef.hold.amount;
    if (missing <= 0) return this.dispatch(route, translated, worstCase);
    ports.quota
      .extend(this.holdRef.hold, missing as Hold['amount'])
      .then((extended) => {
        if (!extended.ok) return this.retry(route, extended.error);
        this.holdRef.hold = extended.value;
        this.dispatch(route, translated, worstCase);
      })
      .catch(this.onUnexpectedError);
  }

  private dispatch(route: Route, translated: TranslatedCall<O>, worstCase: WorstCase): void {
    const { ports } = this.served;
    ports.observer?.enter('record-dispatch');
    ports.quota.recordDispatch(this.holdRef.hold, route.channelId, this.attempt).then(
      () => this.send(route, translated, worstCase),
      (cause: unknown) => this.onUnrecorded(route, cause),
    );
  }

  private onUnrecorded(route: Route, cause: unknown): void {
    try {
      this.retry(route, { ...NOT_RECORDED, cause });
    } catch (fault) {
      this.onUnexpectedError(fault);
    }
  }

  // ── stages 8 and 9 ────────────────────────────────────────────────────────────────────────────────────────────────

  private send(route: Route, translated: TranslatedCall<O>, worstCase: WorstCase): void {
    try {
      const { client, ports, clientCall, quote, call, caller } = this.served;
      if (client.isGone) return this.retry(route, client.closeReason);
      const { shape } = clientCall.parsed;
      ports.observer?.enter('relay-reply');
      const sent: SentRequest = {
        route: translated.route,
        worstCase,
        body: translated.request.body,
        isNative: translated.operation.apiFormat.id === clientCall.apiFormat.id,
      };
      const along = ports.observer?.onSend(translated.route, this.attempt);
      relayReply(
        {
          ports,
          options: this.served.options,
          client,
          clientCall,
          translated: along === undefined ? translated : withHeaders(translated, along),
          route: translated.route,
          quote,
          worstCase,
          holdRef: this.holdRef,
          readsMore: translated.route.upstreamModel !== route.upstreamModel,
          context: {
            callId: call.callId,
            createdAtSeconds: Math.floor(call.receivedAtMs / 1000),
            model: shape.model,
            ownerId: caller.userId,
            wantsStreamUsage: shape.wantsStreamUsage,
            promptTokens: shape.promptTokens,
          },
          playerId: caller.tokenId === null ? caller.userId : undefined,
        },
        (end) => this.onEnd(route, sent, end),
      );
    } catch (fault) {
      this.onUnexpectedError(fault);
    }
  }

  private onEnd(chosen: Route, sent: SentRequest, end: AttemptEnd): void {
    // The next attempt does not begin inside the end of the one before: that one still has things to put away.
    if (end.type === 'failed') return queueMicrotask(() => this.onRelayFailed(chosen, end));
    try {
      const { attempts, startedAtMs } = this;
      const { route, worstCase } = sent;
      const { ports, clientCall } = this.served;
      const { channelId, channelName } = chosen;
      const endedAtMs = ports.clock.nowMs();
      attempts.push(
        end.error === undefined
          ? { channelId, channelName, startedAtMs, endedAtMs }
          : { channelId, channelName, startedAtMs, endedAtMs, failure: end.error.kind },
      );
      this.refundRetries();
      const { parsed } = clientCall;
      const measured = measureReply(ports.counter, {
        meter: end.meter,
        outcome: end.outcome,
        shape: parsed.shape,
        model: route.upstreamModel,
        request: {
          requestBody: parsed.document.bytes,
          shape: parsed.shape,
          readsMore: end.meter.readsMore || route.upstreamModel !== chosen.upstreamModel,
          route,
          worstCase,
        },
      });
      if (measured instanceof Promise)
        measured.then((measure) => this.complete(route, end, measure, sent)).catch(this.onUnexpectedError);
      else this.complete(route, end, measured, sent);
    } catch (fault) {
      this.onUnexpectedError(fault);
    }
  }

  private onRelayFailed(
    route: Route,
    { error, isTokenStale }: Extract<AttemptEnd, { readonly type: 'failed' }>,
  ): void {
    try {
      if (isTokenStale === true && this.mayRenewToken()) {
        this.isTokenRenewed = true;
        this.attempts.push(this.failedAttempt(route, error));
        this.prepare(route);
      } else this.onFailed(route, error);
    } catch (fault) {
      this.onUnexpectedError(fault);
    }
  }

  /** Estimates the part of a cut reply that did not come. */
  private complete(route: Route, end: ReplyRecord, measure: Measure, sent: SentRequest): void {
    if (end.isWhole) return this.settle(route, end, measure, sent);
    const { ports, clientCall, caller } = this.served;
    const cut = {
      meter: end.meter,
      clientCall,
      upstreamModel: route.upstreamModel,
      worstCase: sent.worstCase,
    };
    if (!mustEstimate(end, measure, cut)) return this.settle(route, end, measure, sent);
    keptTokensOf(ports.ids, caller.userId, clientCall)
      .then((kept) => this.settle(route, end, estimateCut(measure, cut, kept), sent))
      .catch(this.onUnexpectedError);
  }

  // ── stages 10 and 11 ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Record S first: the client sees the end when it is written. */
  private settle(route: Route, record: ReplyRecord, measure: Measure, { body, isNative }: SentRequest): void {
    const { ports, call, caller, clientCall, quote, startedMs } = this.served;
    ports.observer?.enter('settle-call');
    const finished = describeCall(ports.clock, {
      call,
      caller,
      shape: clientCall.parsed.shape,
      quote,
      route,
      isNative,
      record,
      measure,
      attempts: this.attempts,
      warnings: withUnread(this.warnings, record.unreadEvents),
      effort: requestedEffort(clientCall.parsed.document),
      startedMs,
    });
    const settling = ports.quota.settle(this.holdRef.hold, finished);
    const recording = recordIds(ports.ids, caller.userId, record.meter.handedOut, {
      body,
      route,
      inputTokens: measure.usage.input.total,
    });
    const written = recording === undefined ? settling : Promise.all([settling, recording]);
    written.then(() => {
      try {
        this.isSettled = true;
        record.finish(measure.usage);
        const { conversation } = this;
        recordAnswer(ports, { caller, route, record, finished, conversation });
        ports.observer?.answered(finished, {
          error: record.error,
          finishReason: record.meter.unifiedFinish,
        });
        this.served.end.onOver();
      } catch (fault) {
        this.onUnexpectedError(fault);
      }
    }, this.onUnexpectedError);
  }

  // ── endings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private onFailed(route: Route, error: RelayError): void {
    this.recordFailure(route, error);
    this.retry(route, error);
  }

  private retry(route: Route, error: RelayError): void {
    this.tried.push(route.channelId);
    if (!this.mayTryAgain(route, error) || !this.served.ports.retries.spend())
      return this.fail(this.finalFailure(error) ?? error);
    this.failure = error;
    this.attempt += 1;
    this.retriesToRefund += 1;
    // Not only when it is over: a stream takes a minute, and the retries of the calls beside it would be spent meanwhile.
    this.served.client.onFirstFrame ??= this.refundRetries;
    this.tryChannel();
  }

  private mayTryAgain(route: Route, error: RelayError): boolean {
    const { client, caller, options } = this.served;
    const { conversation } = this;
    if (client.hasAnswer || client.isGone || caller.pinnedChannelId !== null) return false;
    if (conversation?.staysOnFailure === true && route.channelId === conversation.boundChannelId)
      return false;
    return this.attempt < options.retryTimes && mayRetry(error, options.retryStatuses);
  }

  private readonly refundRetries = (): void => {
    this.served.ports.retries.refund(this.retriesToRefund);
    this.retriesToRefund = 0;
  };

  /** How the last failure is told: whether the same call again may meet a channel whose key is taken is known here. */
  private finalFailure(failure: RelayError | undefined): RelayError | undefined {
    const error = finalError(failure);
    if (error?.blame !== 'upstream' || !isAboutChannel(error)) return error;
    const { ports, caller, clientCall } = this.served;
    const { model } = clientCall.parsed.shape;
    const isPinned = this.idCheck?.place !== undefined;
    return !isPinned && ports.channels.hasUntried({ caller, model, tried: this.tried })
      ? error
      : { ...error, isExhausted: true };
  }

  /** The vendor looked at nothing but the token, once per call: neither a retry of the operator's nor a fault of the channel. */
  private mayRenewToken(): boolean {
    const { client } = this.served;
    return !this.isTokenRenewed && !client.hasAnswer && !client.isGone;
  }

  private failedAttempt(route: Route, error: RelayError): Attempt {
    const upstreamStatus = error.blame === 'upstream' ? error.upstreamStatus : undefined;
    return {
      channelId: route.channelId,
      channelName: route.channelName,
      startedAtMs: this.startedAtMs,
      endedAtMs: this.served.ports.clock.nowMs(),
      failure: error.kind,
      ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    };
  }

  private recordFailure(route: Route, error: RelayError): void {
    const { ports } = this.served;
    this.attempts.push(this.failedAttempt(route, error));
    recordAttemptFailure(
      ports,
      route,
      error,
      channelRequestOf(this.served.clientCall.parsed.shape, this.startedAtMs),
    );
  }

  private fail(error: RelayError): void {
    this.served.refuse(error, this.attempts);
    this.release();
  }

  /** Frees whatever the call holds; a second time changes nothing. */
  private release(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.served.ports.quota.release(this.holdRef.hold);
  }

  private readonly onUnexpectedError = (fault: unknown): void => {
    this.release();
    this.served.end.onFault(fault);
  };
}
