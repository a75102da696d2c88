import type { ThoughtSignature } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { RelayError } from '../../model/relay-error.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import { documentOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ParsedCall, ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { freeformToolsOf } from '../shared/fields/freeform-tools.js';
import { asksForCompaction, compactionItem, isCompaction } from './compaction.js';
import { RESPONSES_FORMAT } from './id.js';
import { placesOf, writeName } from './namespaces.js';
import { wantsEncryptedThoughts } from './own-thoughts.js';
import { OpenItem, type ItemKind } from './open-item.js';
import {
  finalState,
  itemId,
  repeatRequest,
  responseId,
  writeFailure,
  writeResponse,
  type ResponseIdentity,
} from './response-object.js';

/**
 * Content that the last events must repeat by protocol is kept up to this many characters of one reply, far beyond what models
 * answer; of what comes after, the pieces go out and the repetitions stay short.
 */
export const MAX_REPEATED_CHARACTERS = 2 * 1024 * 1024;
/** Beyond it what other items bring goes out as it comes. */
const MAX_WAITING_EVENTS = 4_096;

/**
 * Neutral events → the events of a streamed response, in the order and with the repetitions its clients count on. Keeps
 * the texts those repetitions need, bounded by `MAX_REPEATED_CHARACTERS`, and nothing else of the stream.
 */
export class ResponsesReplyWriter implements ReplyWriter {
  private sequence = 0;
  private identity: ResponseIdentity | undefined;
  private repeated: Document | undefined;
  /** Members of the response that only this format has. */
  private own: Document | undefined;
  private readonly freeform: ReadonlySet<string> | undefined;
  private readonly places: ReturnType<typeof placesOf>;
  private readonly open = new Map<number, OpenItem>();
  /** The call whose arguments are coming: clients put together one at a time. */
  private openCall: number | undefined;
  /** Events of other items that came meanwhile. */
  private waiting: StreamEvent[] = [];
  private isInTurn = true;
  private readonly finished: unknown[] = [];
  private nextIndex = 0;
  private keptCharacters = 0;
  private finish: FinishReason | undefined;
  private usage: Usage | undefined;
  private out = '';
  private readonly sealsThoughts: boolean;
  /** Text so far of the summary that the call asks for; undefined = it asks for none. */
  private summary: string | undefined;

  constructor(
    private readonly context: ReplyContext,
    private readonly call: ParsedCall<'chat'>,
  ) {
    const request = call.neutral();
    this.places = placesOf(call);
    this.sealsThoughts = wantsEncryptedThoughts(call);
    if (asksForCompaction(call)) this.summary = '';
    this.freeform = request.ok ? freeformToolsOf(request.value) : undefined;
  }

  write(event: StreamEvent): string {
    if ('choice' in event && (event.choice ?? 0) !== 0) return '';
    if (!this.isOfSummary(event)) this.event(event);
    return this.take();
  }

  /** Pieces of a summary become one item at the end; a compaction of the vendor's own takes its place. */
  private isOfSummary(event: StreamEvent): boolean {
    if (this.summary === undefined || !('block' in event) || event.type === 'refusal-delta') return false;
    if (event.type === 'text-delta' && this.keep(event.text.length)) this.summary += event.text;
    if (event.type !== 'vendor-part' || !isCompaction(event)) return true;
    this.summary = undefined;
    return false;
  }

  end(): string {
    this.start('', '');
    if (this.summary !== undefined && this.summary !== '')
      this.whole(compactionItem(itemId('cmp', this.context, this.nextIndex), this.summary));
    while (this.open.size > 0 || this.waiting.length > 0) {
      for (const block of [...this.open.keys()]) this.close(block);
      this.release();
    }
    const { status, reason } = finalState(this.finish);
    this.emitResponse(`response.${status}`, { status, reason });
    return this.take();
  }

  fail(error: RelayError): string {
    this.start('', '');
    const failure = writeFailure(error, this.context.callId);
    this.emit('error', { ...failure, param: null, error: { type: failure.code, ...failure, param: null } });
    this.emitResponse('response.failed', { status: 'failed', error: failure });
    return this.take();
  }

  private event(event: StreamEvent): void {
    if (this.mustWait(event)) this.waiting.push(event);
    else this.writeEvent(event);
  }

  private mustWait(event: StreamEvent): boolean {
    if (!this.isInTurn || this.openCall === undefined) return false;
    if (!('block' in event) || event.block === this.openCall) return false;
    if (this.waiting.length < MAX_WAITING_EVENTS) return true;
    this.isInTurn = false;
    this.release();
    return false;
  }

  /** Events that waited for the end of a call, up to the next one. */
  private release(): void {
    const events = this.waiting;
    this.waiting = [];
    for (const event of events) this.event(event);
  }

  private writeEvent(event: StreamEvent): void {
    switch (event.type) {
      case 'reply-start':
        this.own = event.vendorOptions?.[RESPONSES_FORMAT];
        this.start(event.id, event.servedModel, event.createdAtSeconds);
        return;
      case 'text-delta':
      case 'refusal-delta':
        this.itemOf(event.block, 'message').text(event.text, event.type === 'refusal-delta', event.logprobs);
        return;
      case 'reasoning-delta':
        this.itemOf(event.block, 'reasoning', event.vendorId).thought(event.text);
        return;
      case 'block-signature':
        this.prove(event);
        return;
      case 'source':
        this.cite(event);
        return;
      case 'tool-input-start': {
        this.openCall = event.block;
        const isFreeform = event.isFreeform === true || this.freeform?.has(event.name) === true;
        const item = this.itemOf(event.block, isFreeform ? 'custom' : 'call', event.vendorId);
        item.begin(
          event.callId === '' ? itemId('call', this.context, item.index) : event.callId,
          {
            ...event.vendorOptions?.[RESPONSES_FORMAT],
            ...writeName(event.name, this.places, event.vendorOptions?.[RESPONSES_FORMAT]),
          },
          isFreeform && event.isFreeform !== true,
        );
        return;
      }
      case 'tool-input-delta':
        this.open.get(event.block)?.input(event.json);
        return;
      case 'media':
        this.picture(event);
        return;
      case 'audio-delta':
        this.audio(event.audio);
        return;
      case 'vendor-part':
        if (event.apiFormat === RESPONSES_FORMAT) this.whole(documentOf(event.value));
        return;
      case 'block-end':
        this.close(event.block);
        if (this.openCall === undefined && this.waiting.length > 0) this.release();
        return;
      case 'choice-end':
        this.finish ??= event.finish;
        return;
      case 'reply-end':
        this.finish ??= event.finish;
        this.own = { ...this.own, ...event.vendorOptions?.[RESPONSES_FORMAT] };
        return;
      case 'usage':
        this.usage = event.usage;
        return;
      case 'reply-error':
        return;
    }
  }

  private start(id: string, model: string, createdAtSeconds?: number): ResponseIdentity {
    if (this.identity !== undefined) return this.identity;
    this.identity = {
      id: responseId(id, this.context),
      model: model === '' ? this.context.model : model,
      createdAtSeconds: createdAtSeconds ?? this.context.createdAtSeconds,
    };
    this.emitResponse('response.created', { status: 'in_progress' });
    this.emitResponse('response.in_progress', { status: 'in_progress' });
    return this.identity;
  }

  private itemOf(block: number, kind: ItemKind, vendorId?: string): OpenItem {
    this.start('', '');
    let item = this.open.get(block);
    if (item !== undefined) return item;
    const index = this.nextIndex++;
    const id = vendorId ?? itemId(PREFIXES[kind], this.context, index);
    item = new OpenItem(kind, index, id, {
      sealsThoughts: this.sealsThoughts,
      emit: (type, members) => this.emit(type, members),
      keep: (characters) => this.keep(characters),
    });
    this.open.set(block, item);
    return item;
  }

  private prove(event: Extract<StreamEvent, { type: 'block-signature' }>): void {
    const known = this.open.get(event.block);
    if (event.of === 'reasoning') {
      const item = known ?? this.itemOf(event.block, 'reasoning', event.signature.id);
      item.prove(event.signature, event.isRedacted === true);
      return;
    }
    // A call's events stand together, as the vendor's do: clients number them by what stands between.
    if (known === undefined) this.carry(event.signature);
    else known.signature = event.signature;
  }

  /** Calls and texts have no place for a signature here: a piece of hidden reasoning carries it, named after the call. */
  private carry(signature: ThoughtSignature): void {
    const index = this.nextIndex++;
    const item = new OpenItem('reasoning', index, itemId('rs', this.context, index), {
      emit: (type, members) => this.emit(type, members),
      keep: (characters) => this.keep(characters),
    });
    item.prove(signature, false);
    this.finished[item.index] = item.close();
  }

  private cite(event: Extract<StreamEvent, { type: 'source' }>): void {
    const known = this.open.get(event.block);
    const near =
      known?.kind === 'message' ? known : [...this.open.values()].find(({ kind }) => kind === 'message');
    (near ?? this.itemOf(event.block, 'message')).cite(event.source);
  }

  private picture(event: Extract<StreamEvent, { type: 'media' }>): void {
    if (event.media !== 'image' || event.source.kind === 'vendor-file') return;
    if (event.source.kind === 'url') {
      const item = this.itemOf(event.block, 'message');
      item.text(`![image](${event.source.url})`, false, undefined);
      return;
    }
    this.whole({
      type: 'image_generation_call',
      id: itemId('ig', this.context, this.nextIndex),
      status: 'completed',
      result: event.source.base64,
      ...(event.source.mediaType === undefined
        ? {}
        : { output_format: event.source.mediaType.replace(/^image\//, '') }),
    });
  }

  private audio(audio: Document): void {
    this.start('', '');
    const data = textOf(audio['data']);
    const transcript = textOf(audio['transcript']);
    if (data !== undefined) this.emit('response.audio.delta', { delta: data });
    if (transcript !== undefined) this.emit('response.audio.transcript.delta', { delta: transcript });
  }

  /** An item that came as a whole. */
  private whole(item: Document): void {
    this.start('', '');
    const index = this.nextIndex++;
    this.keep(JSON.stringify(item).length);
    this.emit('response.output_item.added', { output_index: index, item });
    this.emit('response.output_item.done', { output_index: index, item });
    this.finished[index] = item;
  }

  private close(block: number): void {
    const item = this.open.get(block);
    if (item === undefined) return;
    this.open.delete(block);
    if (block === this.openCall) this.openCall = undefined;
    this.finished[item.index] = item.close();
    const { signature, callId } = item;
    if (signature !== undefined) this.carry(callId === undefined ? signature : { ...signature, id: callId });
  }

  /** @returns false when no more may be kept */
  private keep(characters: number): boolean {
    this.keptCharacters += characters;
    if (this.keptCharacters <= MAX_REPEATED_CHARACTERS) return true;
    this.finished.length = 0;
    return false;
  }

  private emitResponse(
    type: string,
    state: Pick<Parameters<typeof writeResponse>[2], 'status' | 'reason' | 'error'>,
  ): void {
    const identity = this.start('', '');
    this.repeated ??= repeatRequest(this.call);
    const isTooMuch = this.keptCharacters > MAX_REPEATED_CHARACTERS;
    const output = isTooMuch ? null : this.finished.filter((item) => item !== undefined);
    const usage = state.status === 'in_progress' ? undefined : this.usage;
    const members = this.own === undefined ? this.repeated : { ...this.repeated, ...this.own };
    this.emit(type, { response: writeResponse(identity, members, { ...state, output, usage }) });
  }

  private emit(type: string, members: Document): void {
    const data = eventJson({ type, sequence_number: this.sequence++, ...members });
    this.out += `event: ${type}\ndata: ${data}\n\n`;
  }

  private take(): string {
    const frames = this.out;
    this.out = '';
    return frames;
  }
}

const PREFIXES: Readonly<Record<ItemKind, string>> = {
  message: 'msg',
  reasoning: 'rs',
  call: 'fc',
  custom: 'ctc',
};

/** The failure of a stream that passed untouched: its own numbers are not known here. */
export function writeResponsesErrorFrame(error: RelayError, callId: string): string {
  const failure = writeFailure(error, callId);
  const document = {
    type: 'error',
    ...failure,
    param: null,
    sequence_number: 0,
    error: { type: failure.code, ...failure, param: null },
  };
  return `event: error\ndata: ${eventJson(document)}\n\n`;
}
