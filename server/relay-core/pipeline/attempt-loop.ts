import { NOT_RECORDED } from '../model/call-failures.js';
import type { Operation } from '../model/operation.js';
import { isAboutChannel, type RelayError } from '../model/relay-error.js';
import { knownWarnings, withUnread, type Warning } from '../model/warning.js';
import type { Conversation } from '../ports/channel-affinity.js';
import type { FullChannel } from '../ports/channel-limits.js';
import type { Route } from '../ports/channel-picker.js';
import type { WorstCase } from '../ports/price-book.js';
import type { Hold } from '../ports/quota-holds.js';
import type { AttemptEnd, BilledReply, ReplyRecord, SentRequest } from './context/attempt.js';
import { type Measure, measureReply } from './reply/measure-reply.js';
import { estimateCut, mustEstimate } from './reply/estimate-cut.js';
import { hostsOfCall, refuseClosedNames } from './request/refuse-hosts.js';
import { withOverride } from './request/overrides/attempt-overrides.js';
import { finalError } from './reply/reply-body.js';
import { nativeChannels, chooseChannel } from './stages/choose-channel.js';
import { CallRetries } from './context/retries.js';
import { ChannelRoom, CHANNELS_FULL } from './stages/choose-channel.js';
import { AttemptRecords, recordAnswer } from './stages/record-call.js';
import { relayReply } from './stages/relay-reply.js';
import { relayInputOf } from './stages/send-call.js';
import type { Reservation } from './stages/admit-quote-reserve.js';
import { describeServed } from './stages/settle-call.js';
import type { TranslatedCall } from './context/call-types.js';
import { translateInParts } from './stages/split-call.js';
import type { translateCall } from './stages/translate-call.js';
import { withHeaders } from './context/with-headers.js';
import type { ServedCall } from './context/served-call.js';
import { keptTokensOf, recordIds, StoredIdCheck } from './stages/stored-id-check.js';

/**
 * Stages 6 to 11 of one call, on one channel after the other until one answers. Nothing is retried once the client has a byte of an answer.
 * One object for all of a call's attempts, whose steps call one another: each step may be the last of a turn of the event loop,
 * and the next one begins where something came. Whatever is thrown in one of them ends in `onUnexpectedError`.
 */
export class AttemptLoop<O extends Operation> {
  private readonly holdRef: { hold: Hold };
  private readonly records: AttemptRecords;
  private readonly retries: CallRetries;
  private readonly room: ChannelRoom;
  private conversation: Conversation | undefined;
  private warnings: readonly Warning[] = [];
  private idCheck: StoredIdCheck | undefined;
  private isSettled = false;
  /** Reply without content of the last attempt, where its vendor bills it. */
  private billed: BilledReply | undefined;

  constructor(
    private readonly served: ServedCall<O>,
    private readonly reserved: Reservation,
  ) {
    this.holdRef = { hold: reserved.hold };
    this.room = new ChannelRoom(served.ports);
    this.retries = new CallRetries(served);
    this.records = new AttemptRecords(served.ports, served.clientCall.parsed.shape);
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
    const { conversation } = this;
    const { attempt, tried } = this.retries;
    ports.observer?.enter('choose-channel');
    const chosen = chooseChannel(ports, {
      caller,
      model,
      attempt,
      tried,
      passedOver: this.room.passedOver,
      boundChannelId: conversation?.boundChannelId,
      requiredAccount: this.idCheck?.place,
      promptTokens,
      isNative: nativeChannels(ports, { clientCall, operation, options, group: caller.group }),
      view: this.served.channels,
    });
    if (!chosen.ok)
      return this.fail(this.finalFailure(this.retries.failure) ?? this.room.refusal() ?? chosen.error);
    const full = this.room.findFull(chosen.value, model);
    if (full !== undefined) return this.passOver(chosen.value, full);
    this.prepare(withOverride(chosen.value, conversation?.paramOverride));
  }

  /** A name may lead into the network of an upstream that is there; the others fetch from the internet. */
  private prepare(route: Route): void {
    const { ports, clientCall } = this.served;
    this.records.begin();
    const looking = refuseClosedNames(ports.addresses, hostsOfCall(clientCall.parsed), route.baseUrl);
    if (looking === undefined) return this.translate(route);
    looking
      .then((refusal) => (refusal === undefined ? this.translate(route) : this.onFailed(route, refusal)))
      .catch(this.onUnexpectedError);
  }

  private translate(route: Route): void {
    const { ports, call, caller, clientCall, operation } = this.served;
    ports.observer?.enter('translate-call');
    const translating = translateInParts(ports, {
      clientCall,
      operation,
      route,
      affordableCap: this.reserved.affordableCap,
      options: this.served.options,
      attempt: {
        call,
        model: clientCall.parsed.shape.model,
        index: this.retries.attempt,
        lastError: this.retries.failure,
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
    if (refusal === undefined) this.takeRoom(route, translated.value);
    else this.onFailed(route, refusal);
  }

  /** Limits of the channel admit the attempt with the most the finished request may use. */
  private takeRoom(route: Route, translated: TranslatedCall<O>): void {
    const { quote, clientCall } = this.served;
    this.room.enter(
      translated.route,
      clientCall.parsed.shape,
      () => quote.worstCaseOf(translated.sent, translated.route.upstreamModel),
      (full) => (full === undefined ? this.holdForSent(route, translated) : this.passOver(route, full)),
      this.onUnexpectedError,
    );
  }

  /** A full channel got no request: the next one is chosen, and no retry is spent. */
  private passOver(route: Route, full: FullChannel): void {
    const isAgain = this.room.passedOver.includes(route.channelId);
    if (isAgain) return this.fail(this.finalFailure(this.retries.failure) ?? CHANNELS_FULL);
    this.records.all.push(this.room.passOver(route, full));
    this.tryChannel();
  }

  private holdForSent(route: Route, translated: TranslatedCall<O>): void {
    const { client, ports, quote } = this.served;
    if (client.isGone) return this.retry(route, client.closeReason);
    const { tagWarnings } = this.served;
    this.warnings = knownWarnings(
      tagWarnings.length === 0 ? translated.warnings : [...tagWarnings, ...translated.warnings],
    );
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
    ports.quota
      .recordDispatch(this.holdRef.hold, route.channelId, this.retries.attempt, this.room.admission?.marks)
      .then(
        () => this.send(route, translated, worstCase),
        (cause: unknown) => this.retry(route, { ...NOT_RECORDED, cause }),
      )
      .catch(this.onUnexpectedError);
  }

  // ── stages 8 and 9 ────────────────────────────────────────────────────────────────────────────────────────────────

  private send(route: Route, translated: TranslatedCall<O>, worstCase: WorstCase): void {
    try {
      const { client, ports, clientCall } = this.served;
      if (client.isGone) return this.retry(route, client.closeReason);
      ports.observer?.enter('relay-reply');
      const sent: SentRequest = {
        route: translated.route,
        worstCase,
        body: translated.request.body,
        isNative: translated.operation.apiFormat.id === clientCall.apiFormat.id,
      };
      this.room.admission?.markSent();
      const along = ports.observer?.onSend(translated.route, this.retries.attempt);
      relayReply(
        relayInputOf(this.served, {
          translated: along === undefined ? translated : withHeaders(translated, along),
          worstCase,
          holdRef: this.holdRef,
          admission: this.room.admission,
          readsMore: translated.route.upstreamModel !== route.upstreamModel,
        }),
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
      const { route, worstCase } = sent;
      const { ports, clientCall } = this.served;
      this.records.addAnswered(chosen, end.error);
      this.retries.refund();
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
    { error, isTokenStale, billed }: Extract<AttemptEnd, { readonly type: 'failed' }>,
  ): void {
    try {
      if (isTokenStale === true && this.retries.renewToken()) {
        this.records.addFailed(route, error, billed?.usage);
        this.prepare(route);
      } else this.onFailed(route, error, billed);
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
    const { ports, caller } = this.served;
    ports.observer?.enter('settle-call');
    const warnings = withUnread(this.warnings, record.unreadEvents);
    const described = describeServed(this.served, {
      route,
      isNative,
      record,
      measure,
      attempts: this.records.all,
      warnings,
    });
    const finished = this.room.mark(described);
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
        this.room.settle(finished);
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

  private onFailed(route: Route, error: RelayError, billed?: BilledReply): void {
    this.records.addFailed(route, error, billed?.usage);
    this.records.reportFailure(route, error);
    this.retry(route, error, billed);
  }

  private retry(route: Route, error: RelayError, billed?: BilledReply): void {
    this.room.release();
    this.billed = billed;
    const { conversation } = this;
    const isBound = conversation?.staysOnFailure === true && route.channelId === conversation.boundChannelId;
    if (this.retries.take(route, error, isBound)) this.tryChannel();
    else this.fail(this.finalFailure(error) ?? error);
  }

  /** Failure for the caller. Only the loop knows if another try of the same call could reach an untried channel. */
  private finalFailure(failure: RelayError | undefined): RelayError | undefined {
    const error = finalError(failure);
    if (error?.blame !== 'upstream' || !isAboutChannel(error)) return error;
    const { ports, caller, clientCall } = this.served;
    const isPinned = this.idCheck?.place !== undefined;
    const tried = [...this.retries.tried, ...this.room.passedOver];
    return !isPinned && ports.channels.hasUntried({ caller, model: clientCall.parsed.shape.model, tried })
      ? error
      : { ...error, isExhausted: true };
  }

  private fail(error: RelayError): void {
    this.served.refuse(error, this.records.all, this.billed?.passOn);
    this.release();
  }

  /** Frees whatever the call holds; a second time changes nothing. */
  private release(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.room.release();
    this.served.ports.quota.release(this.holdRef.hold);
  }

  private readonly onUnexpectedError = (fault: unknown): void => {
    this.release();
    this.served.end.onFault(fault);
  };
}
