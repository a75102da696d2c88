import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import { refusedFinish, type FinishReason } from '../../model/finish-reason.js';
import type { RelayError } from '../../model/relay-error.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import type { ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { SignedThinkingText } from '../shared/fields/signed-thinking-text.js';
import { errorDocument } from './error-body.js';
import { writeFinishReason } from './finish-reason.js';
import { GroundedText } from './grounded-text.js';
import { GENERATE_FORMAT } from './id.js';
import { writeUsage } from './usage.js';
import { partAsSent, signatureOf, writeMedia, writeText } from './write-part.js';
import { writeLogprobs, writeOwnCall } from './write-reply.js';

/** Form of frames in the stream: as event data, or as elements of one array. */
export type FrameForm = 'sse' | 'json-array';

interface OpenCall {
  readonly callId: string;
  readonly name: string;
  readonly isFreeform: boolean;
  json: string;
  signature: ThoughtSignature | undefined;
}

/**
 * Neutral events → generateContent frames, each a whole document. Calls are collected and sent whole; the reasons of
 * the endings go out last, with the figures, as Google's own streams do.
 */
export class GenerateReplyWriter implements ReplyWriter {
  private id: string;
  private model: string;
  private usage: Usage | undefined;
  private readonly calls = new Map<number, OpenCall>();
  private readonly finishes = new Map<number, FinishReason>();
  private readonly texts = new Map<number, GroundedText>();
  private readonly refused = new Set<number>();
  private readonly signed = new SignedThinkingText();
  private hasFrames = false;
  private hasEvents = false;

  constructor(
    private readonly context: ReplyContext,
    private readonly form: FrameForm,
  ) {
    this.id = context.callId;
    this.model = context.model;
  }

  write(event: StreamEvent): string {
    this.hasEvents = true;
    switch (event.type) {
      case 'reply-start':
        if (event.id !== '') this.id = event.id;
        if (event.servedModel !== '') this.model = event.servedModel;
        this.usage = event.usage ?? this.usage;
        return '';
      case 'text-delta':
        this.textOf(event.choice).grow(event.block, event.text);
        return this.part(event.choice, writeText(event.text, false, undefined), event.logprobs);
      case 'refusal-delta':
        this.refused.add(event.choice ?? 0);
        return this.part(event.choice, writeText(event.text, false, undefined));
      case 'reasoning-delta':
        this.signed.add(event);
        return this.part(event.choice, writeText(event.text, true, undefined));
      case 'block-signature':
        return this.signature(event);
      case 'media':
        return this.part(event.choice, writeMedia({ type: event.media, source: event.source }));
      case 'audio-delta':
        return this.audio(event.choice, event.audio);
      case 'vendor-part': {
        const part: ContentPart = { type: 'vendor', apiFormat: event.apiFormat, value: event.value };
        const sent = event.apiFormat === GENERATE_FORMAT ? partAsSent(part) : undefined;
        return sent === undefined ? '' : this.part(event.choice, sent);
      }
      case 'source':
        this.textOf(event.choice).cite(event.block, event.source);
        return '';
      case 'tool-input-start':
        this.calls.set(event.block, {
          callId: event.callId === '' ? `call_${this.context.callId}_${event.block}` : event.callId,
          name: event.name,
          isFreeform: event.isFreeform === true,
          json: '',
          signature: undefined,
        });
        return '';
      case 'tool-input-delta': {
        const call = this.calls.get(event.block);
        if (call !== undefined) call.json += event.json;
        return '';
      }
      case 'block-end':
        return this.closeCall(event.block, event.choice);
      case 'choice-end':
        this.finishes.set(
          event.choice,
          this.refused.has(event.choice) ? refusedFinish(event.finish) : event.finish,
        );
        return '';
      case 'usage':
        this.usage = event.usage;
        return '';
      case 'reply-end':
        if (this.finishes.size === 0) this.finishes.set(0, event.finish);
        return '';
      case 'reply-error':
        return '';
    }
  }

  /** Also ends streams whose frames were the vendor's own: then only the figures and a bracket are left to write. */
  end(): string {
    let frames = '';
    for (const block of [...this.calls.keys()]) frames += this.closeCall(block, undefined);
    if (this.finishes.size > 0 || this.usage !== undefined) frames += this.frame(this.lastCandidates());
    return this.form === 'json-array' ? `${frames}]` : frames;
  }

  fail(error: RelayError): string {
    const failure = this.enclose(errorDocument(error, this.context.callId));
    return this.form === 'json-array' ? `${failure}]` : failure;
  }

  private signature(event: Extract<StreamEvent, { type: 'block-signature' }>): string {
    if (event.of === 'tool-call') {
      const call = this.calls.get(event.block);
      if (call !== undefined) call.signature = event.signature;
      return '';
    }
    const signature = signatureOf(event.signature, event.isRedacted, this.signed.take(event.block));
    return this.part(event.choice, writeText('', event.of === 'reasoning', signature));
  }

  private audio(choice: number | undefined, audio: Readonly<Record<string, unknown>>): string {
    const { data: base64, transcript } = audio;
    let frames = '';
    if (typeof transcript === 'string' && transcript !== '') {
      frames += this.part(choice, writeText(transcript, false, undefined));
    }
    if (typeof base64 !== 'string' || base64 === '') return frames;
    const source = { kind: 'base64' as const, base64, mediaType: 'audio/pcm' };
    return frames + this.part(choice, writeMedia({ type: 'audio', source }));
  }

  private closeCall(block: number, choice: number | undefined): string {
    const call = this.calls.get(block);
    if (call === undefined) return '';
    this.calls.delete(block);
    const { callId, name, json, signature, isFreeform } = call;
    const extras = {
      ...(signature === undefined ? {} : { signature }),
      ...(isFreeform ? { isFreeform } : {}),
    };
    return this.part(choice, writeOwnCall({ type: 'tool-call', callId, name, json, ...extras }));
  }

  private textOf(choice: number | undefined): GroundedText {
    const index = choice ?? 0;
    let text = this.texts.get(index);
    if (text === undefined) {
      text = new GroundedText();
      this.texts.set(index, text);
    }
    return text;
  }

  private lastCandidates(): readonly unknown[] {
    return [...this.finishes].map(([index, finish]) => {
      const groundingMetadata = this.texts.get(index)?.write();
      return {
        content: { role: 'model', parts: [{ text: '' }] },
        finishReason: writeFinishReason(finish),
        index,
        ...(groundingMetadata === undefined ? {} : { groundingMetadata }),
      };
    });
  }

  private part(choice: number | undefined, part: Record<string, unknown>, logprobs?: unknown): string {
    const content = { role: 'model', parts: [part] };
    return this.frame([{ content, index: choice ?? 0, ...writeLogprobs(logprobs) }]);
  }

  private frame(candidates: readonly unknown[]): string {
    const document: Record<string, unknown> = candidates.length === 0 ? {} : { candidates };
    if (this.usage !== undefined) document['usageMetadata'] = writeUsage(this.usage);
    document['modelVersion'] = this.model;
    document['responseId'] = this.id;
    return this.enclose(document);
  }

  private enclose(document: Record<string, unknown>): string {
    const json = eventJson(document);
    if (this.form === 'sse') return `data: ${json}\n\n`;
    // A writer without events only ends the vendor's own array: elements stand before its output.
    const opening = this.hasFrames || !this.hasEvents ? ',\n' : '[';
    this.hasFrames = true;
    return opening + json;
  }
}
