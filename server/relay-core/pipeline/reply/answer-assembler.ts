import type { ContentPart } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';

type PieceEvent = Extract<StreamEvent, { readonly block: number }>;

/** One answer of a stream that is added up to a whole one. */
export class AnswerAssembler {
  finish: FinishReason | undefined;
  readonly logprobs: unknown[] = [];
  /** Blocks in order of appearance; each with its sources. */
  private readonly parts = new Map<number, { part: ContentPart; readonly sources: ContentPart[] }>();

  content(): readonly ContentPart[] {
    return [...this.parts.values()].flatMap(({ part, sources }) => [part, ...sources]);
  }

  add(event: PieceEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.grow(event.block, 'text', event.text);
        this.addLogprobs(event.logprobs);
        break;
      case 'reasoning-delta':
        this.grow(event.block, 'reasoning', event.text);
        break;
      case 'refusal-delta':
        this.grow(event.block, 'refusal', event.text);
        break;
      case 'block-signature':
        this.prove(event);
        break;
      case 'tool-input-start':
        this.begin(event.block, {
          type: 'tool-call',
          callId: event.callId,
          name: event.name,
          json: '',
          ...(event.isFreeform === true ? { isFreeform: true } : {}),
          ...(event.vendorOptions === undefined ? {} : { vendorOptions: event.vendorOptions }),
        });
        break;
      case 'tool-input-delta': {
        const entry = this.parts.get(event.block);
        if (entry?.part.type === 'tool-call')
          entry.part = { ...entry.part, json: entry.part.json + event.json };
        break;
      }
      case 'audio-delta':
        this.hear(event.block, event.audio);
        break;
      case 'media':
        this.begin(event.block, { type: event.media, source: event.source });
        break;
      case 'source':
        this.cite(event);
        break;
      case 'vendor-part':
        this.begin(event.block, { type: 'vendor', apiFormat: event.apiFormat, value: event.value });
        break;
      case 'block-end':
        break;
    }
  }

  private begin(block: number, part: ContentPart): void {
    this.parts.set(block, { part, sources: [] });
  }

  private grow(block: number, type: 'text' | 'reasoning' | 'refusal', text: string): void {
    const entry = this.parts.get(block);
    if (entry === undefined) this.begin(block, { type, text });
    else if (entry.part.type === type) entry.part = { ...entry.part, text: entry.part.text + text };
  }

  private prove(event: Extract<PieceEvent, { type: 'block-signature' }>): void {
    const entry = this.parts.get(event.block);
    if (entry !== undefined) {
      if (entry.part.type !== 'vendor') entry.part = { ...entry.part, signature: event.signature };
      return;
    }
    // A call that did not begin has no signature to show.
    if (event.of === 'tool-call') return;
    this.begin(event.block, {
      type: event.of,
      text: '',
      signature: event.signature,
      ...(event.isRedacted === true ? { isRedacted: true } : {}),
    });
  }

  private cite(event: Extract<PieceEvent, { type: 'source' }>): void {
    const source: ContentPart = { type: 'source', source: event.source };
    const entry = this.parts.get(event.block);
    if (entry === undefined) this.begin(event.block, source);
    else entry.sources.push(source);
  }

  /** Sound comes in pieces of base64 that were cut anywhere, and with words. */
  private hear(block: number, audio: Readonly<Record<string, unknown>>): void {
    const before = this.parts.get(block)?.part;
    const { data, transcript, ...rest } = audio;
    const known = before?.type === 'audio' ? before : undefined;
    const base64 = known?.source.kind === 'base64' ? known.source.base64 : '';
    const words = (known?.transcript ?? '') + (typeof transcript === 'string' ? transcript : '');
    this.begin(block, {
      type: 'audio',
      source: {
        kind: 'base64',
        base64: base64 + (typeof data === 'string' ? data : ''),
        mediaType: undefined,
      },
      ...(words === '' ? {} : { transcript: words }),
      // The vendor's id and expiry; only the chat formats have sound in their answers.
      vendorOptions: { 'openai-chat': { ...known?.vendorOptions?.['openai-chat'], ...rest } },
    });
  }

  private addLogprobs(logprobs: unknown): void {
    if (typeof logprobs !== 'object' || logprobs === null || !('content' in logprobs)) return;
    const { content } = logprobs;
    if (Array.isArray(content)) this.logprobs.push(...(content as unknown[]));
  }
}
