import { Injectable } from '@nestjs/common';
import { operatorSentence, type RelayError } from '../../../relay-core/model/relay-error.js';
import { runCall } from '../../../relay-core/pipeline/run-call.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';
import { Ids } from '../../../common/ids.js';
import { findProvider } from '../../../relay-core/providers/registry.js';
import { CollectedReply } from './collected-reply.js';
import { answerTextOf } from './answer-text.js';
import { canStream, findClientRoute } from './probe-endpoints.js';
import type { CallEndpoint, ProbeEndpoint } from '../state/probe-kinds.js';
import { ProbePorts } from './probe-ports.js';
import { ProbeSession } from './probe-session.js';

export interface ProbeOptions {
  /** Empty or absent = the channel's test model. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Absent = what the model's name stands for. */
  readonly endpoint?: ProbeEndpoint | undefined;
  /** Which key of a channel with several; absent = the first that is on. */
  readonly keyIndex?: number;
  /** When it succeeds, the model rests no longer in this process. */
  readonly endsRest?: boolean;
}

/** What a test of a channel showed. */
export interface ProbeResult {
  readonly success: boolean;
  /** Empty, or what went wrong, for the operator; no keys in it. */
  readonly message: string;
  readonly timeMs: number;
  /** Until the first byte of the answer; undefined = none came. */
  readonly firstTokenMs?: number;
  readonly model: string;
  readonly endpoint?: ProbeEndpoint;
  /** Beginning of what the model said. */
  readonly text: string;
  readonly error?: RelayError;
}

const MAX_TEXT_CHARACTERS = 500;

export const notFound = (channelId: number): ProbeResult => ({
  success: false,
  message: `Channel ${channelId} does not exist.`,
  timeMs: 0,
  model: '',
  text: '',
});

/** Sends one small call through the relay's own pipeline to one given channel: mapping, overrides and proxy as in real calls. */
@Injectable()
export class ProbeCall {
  constructor(
    private readonly ports: ProbePorts,
    private readonly sessions: ProbeSession,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async run(route: Route, model: string, endpoint: ProbeEndpoint, stream: boolean): Promise<ProbeResult> {
    if (!canBeTested(route.channelType)) return notTestable(model);
    if (endpoint !== 'realtime') return this.call(route, model, endpoint, stream);
    const startedAtMs = this.clock.monotonicMs();
    const { error, firstFrameAtMs, text } = await this.sessions.open(route, model);
    return {
      success: error === undefined,
      message: error === undefined ? '' : operatorSentence(error),
      timeMs: Math.round(this.clock.monotonicMs() - startedAtMs),
      firstTokenMs: firstFrameAtMs === undefined ? undefined : Math.round(firstFrameAtMs - startedAtMs),
      model,
      endpoint,
      text,
      error,
    };
  }

  private async call(
    route: Route,
    model: string,
    endpoint: CallEndpoint,
    stream: boolean,
  ): Promise<ProbeResult> {
    const isStream = stream && canStream(endpoint);
    const clientRoute = findClientRoute(endpoint, model, isStream);
    if (clientRoute === undefined) return noSuchRoute(model, endpoint);
    const reply = new CollectedReply(this.clock);
    const failures: RelayError[] = [];
    const startedAtMs = this.clock.monotonicMs();
    const call = {
      pathModel: clientRoute.pathModel,
      query: clientRoute.query,
      callId: this.ids.callId(),
      path: clientRoute.path,
      headers: { authorization: 'Bearer probe', 'content-type': clientRoute.contentType },
      body: clientRoute.body,
      receivedAtMs: this.clock.nowMs(),
      clientAddress: '127.0.0.1',
    };
    await runCall(this.ports.to(route, failures), call, clientRoute.dialect, clientRoute.route, reply);
    const error = failures.at(-1);
    return {
      success: reply.status === 200 && error === undefined,
      message:
        (error === undefined ? undefined : operatorSentence(error)) ??
        (reply.status === 200 ? '' : `The channel answered with status ${reply.status}.`),
      timeMs: Math.round(this.clock.monotonicMs() - startedAtMs),
      firstTokenMs:
        reply.firstByteAtMs === undefined ? undefined : Math.round(reply.firstByteAtMs - startedAtMs),
      model,
      endpoint,
      text: error === undefined ? answerTextOf(reply, isStream).slice(0, MAX_TEXT_CHARACTERS) : '',
      error,
    };
  }
}

/** Whether its vendor answers at all: drawings and songs are begun, and paid, by being asked for. */
export function canBeTested(channelType: number): boolean {
  const provider = findProvider(channelType);
  return !provider.ok || Object.keys(provider.value.operations).some((operation) => operation !== 'submit');
}

const notTestable = (model: string): ProbeResult => ({
  success: false,
  message: 'Channels of this type cannot be tested: a test would be drawn or sung, and paid for.',
  timeMs: 0,
  model,
  text: '',
});

const noSuchRoute = (model: string, endpoint: ProbeEndpoint): ProbeResult => ({
  success: false,
  message: `This gateway has no address for ${endpoint} yet.`,
  timeMs: 0,
  model,
  endpoint,
  text: '',
});
