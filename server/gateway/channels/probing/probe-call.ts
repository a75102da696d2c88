import { Injectable } from '@nestjs/common';
import { operatorSentence, type RelayError } from '../../../relay-core/model/relay-error.js';
import { runCall } from '../../../relay-core/pipeline/run-call.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';
import { Ids } from '../../../common/ids.js';
import { findProvider } from '../../../relay-core/providers/registry.js';
import { canStream, findClientRoute } from './probe-endpoints.js';
import type { CallEndpoint, ProbeEndpoint } from '../state/probe-kinds.js';
import { ProbePorts } from './probe-ports.js';
import { ProbeSession } from './probe-session.js';
import { parseJson } from '../../../common/parse-json.js';
import type { ClientReply } from '../../../relay-core/ports/client-reply.js';

const MAX_BYTES = 256 * 1024;

/** Events whose `delta` is text, or a transcript of audio. */
const TEXT_DELTA_EVENTS: ReadonlySet<unknown> = new Set([
  'response.output_text.delta',
  'transcript.text.delta',
]);

const partsOf = (answer: unknown): readonly unknown[] =>
  listAt(at(first(answer, 'candidates'), 'content'), 'parts');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const first = (value: unknown, name: string): unknown => listAt(value, name)[0];

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

/** Result of a channel test. */
export interface ProbeResult {
  readonly success: boolean;
  /** Empty, or what went wrong, for the operator; no keys in it. */
  readonly message: string;
  readonly timeMs: number;
  /** Until the first byte of the answer; undefined = none came. */
  readonly firstTokenMs?: number;
  readonly model: string;
  readonly endpoint?: ProbeEndpoint;
  /** Beginning of the model's answer. */
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

/** True when its vendor answers synchronously: drawings and songs begin, and cost, with the request. */
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

/** Text of an answer in any dialect's shape: whole, streamed, or what there is in place of text. */
export function answerTextOf(reply: CollectedReply, isStream: boolean): string {
  const { contentType, sizeBytes, text } = reply;
  const [mediaType = ''] = contentType.split(';');
  if (/^(?:audio|video)\/|^application\/octet-stream/.test(mediaType))
    return `${mediaType}, ${sizeBytes} bytes`;
  if (!isStream) return textIn(parseJson(text));
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => deltaIn(parseJson(line.slice('data: '.length))))
    .join('');
}

/** Chat completions, completions, Anthropic, Gemini, Responses, lists of vectors, images or results. */
function textIn(answer: unknown): string {
  const choice = first(answer, 'choices');
  const direct = at(at(choice, 'message'), 'content') ?? at(choice, 'text') ?? at(answer, 'text');
  if (typeof direct === 'string') return direct;
  const outputs = listAt(answer, 'output').flatMap((item) => listAt(item, 'content'));
  const parts = [...listAt(answer, 'content'), ...partsOf(answer), ...outputs];
  if (parts.length > 0) return parts.map((part) => textOf(at(part, 'text'))).join('');
  const data = listAt(answer, 'data');
  if (data.length > 0)
    return `${data.length} × ${at(data[0], 'embedding') === undefined ? 'image' : 'embedding'}`;
  const results = listAt(answer, 'results');
  return results.length > 0 ? `${results.length} × result` : '';
}

function deltaIn(frame: unknown): string {
  const choice = first(frame, 'choices');
  const direct = at(at(choice, 'delta'), 'content') ?? at(choice, 'text');
  if (typeof direct === 'string') return direct;
  if (TEXT_DELTA_EVENTS.has(at(frame, 'type'))) return textOf(at(frame, 'delta'));
  if (at(frame, 'type') === 'content_block_delta') return textOf(at(at(frame, 'delta'), 'text'));
  return partsOf(frame)
    .map((part) => textOf(at(part, 'text')))
    .join('');
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = at(value, name);
  return Array.isArray(list) ? list : [];
}

/** A client that only collects: what a test of a channel is answered. */
export class CollectedReply implements ClientReply {
  status = 0;
  /** Media type of the answer; empty = none was named. */
  contentType = '';
  /** Moment of the first byte of content, monotonic; undefined = none came. */
  firstByteAtMs: number | undefined;
  private readonly parts: Buffer[] = [];
  /** All that came, also what was not kept. */
  sizeBytes = 0;
  private hasEnded = false;

  constructor(private readonly clock: Clock) {}

  get isCommitted(): boolean {
    return this.status !== 0;
  }

  get isClosed(): boolean {
    return this.hasEnded;
  }

  get text(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.contentType = headers['content-type'] ?? '';
  }

  write(bytes: Buffer | string): boolean {
    this.firstByteAtMs ??= this.clock.monotonicMs();
    if (this.sizeBytes < MAX_BYTES) this.parts.push(Buffer.from(bytes));
    this.sizeBytes += bytes.length;
    return true;
  }

  end(bytes?: Buffer | string): void {
    if (bytes !== undefined && bytes.length > 0) this.write(bytes);
    this.hasEnded = true;
  }

  abort(): void {
    this.hasEnded = true;
  }

  /** Never full, so never drained. */
  onDrain(): void {}

  /** Never leaves. */
  onClientGone(): void {}

  /** Sends nothing anyway. */
  onProbe(): void {}
}
