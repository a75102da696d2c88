import type { ThoughtSignature, Source } from '../../model/content.js';
import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { freeformInputOf } from '../shared/fields/freeform-tools.js';
import { hasWholeCall } from '../shared/fields/tool-arguments.js';
import { documentOf, listOf, type Document } from '../shared/fields/json-fields.js';
import { writeAnnotation } from './annotations.js';
import { writeOwnThought } from './own-thoughts.js';

export type ItemKind = 'message' | 'reasoning' | 'call' | 'custom';

/** Parts of the stream that an item needs. */
export interface ItemStream {
  /** Reasoning without a signature gets an `encrypted_content` of this gateway. */
  readonly sealsThoughts?: boolean;
  emit(type: string, members: Document): void;
  /** Asks to keep so many characters more. @returns false when the reply keeps too much already */
  keep(characters: number): boolean;
}

/** An item of a streamed response that is not done: opens with its first piece, and repeats its whole content when it ends. */
export class OpenItem {
  /** Call of the item; undefined = it is none. */
  callId: string | undefined;
  private named: Document = { name: '' };
  private isWrapped = false;
  private kept = '';
  /** Not all of its text is kept. */
  private isCut = false;
  private isRefusal = false;
  private readonly annotations: Document[] = [];
  /** Sources for all of the text: they wait until its length is known. */
  private readonly waiting: Source[] = [];
  /** Signature of a call or a text: a piece of its own, behind it. */
  signature: ThoughtSignature | undefined;
  private logprobs: unknown[] = [];
  private encrypted: string | undefined;
  private isOpen = false;
  private hasPart = false;

  constructor(
    readonly kind: ItemKind,
    readonly index: number,
    readonly id: string,
    private readonly stream: ItemStream,
  ) {}

  text(text: string, isRefusal: boolean, logprobs: unknown): void {
    this.isRefusal = isRefusal;
    this.openPart();
    this.remember(text);
    if (isRefusal) {
      this.emit('refusal.delta', { content_index: 0, delta: text });
      return;
    }
    const probabilities = listOf(documentOf(logprobs)['content']);
    if (probabilities.length > 0 && this.stream.keep(probabilities.length * TYPICAL_LOGPROB))
      this.logprobs.push(...probabilities);
    this.emit('output_text.delta', { content_index: 0, delta: text, logprobs: probabilities });
  }

  thought(text: string): void {
    this.openPart();
    this.remember(text);
    this.emit('reasoning_summary_text.delta', { summary_index: 0, delta: text });
  }

  /** @param isWrapped  its plain text comes inside JSON arguments, which are opened when all of them are there */
  begin(callId: string, named: Document, isWrapped: boolean): void {
    this.callId = callId;
    this.named = named;
    this.isWrapped = isWrapped;
    this.openItem();
  }

  input(text: string): void {
    this.remember(text);
    if (this.isWrapped) return;
    this.emit(this.kind === 'custom' ? 'custom_tool_call_input.delta' : 'function_call_arguments.delta', {
      delta: text,
    });
  }

  prove(signature: ThoughtSignature, isRedacted: boolean): void {
    this.openItem();
    // An own signature that belongs to the item is what the field is for.
    const isOwn = signature.by === 'openai' && (signature.id === undefined || signature.id === this.id);
    this.encrypted = isOwn
      ? signature.data
      : writePortableSignature(signature, 'openai', {
          isRedacted,
          words: this.isCut ? undefined : this.kept,
        });
    this.stream.keep(this.encrypted.length);
  }

  cite(source: Source): void {
    this.openPart();
    const mustWait = this.waiting.length > 0 || source.end === undefined;
    if (mustWait && this.waiting.length < MAX_WAITING_SOURCES) this.waiting.push(source);
    else this.annotate(source);
  }

  private annotate(source: Source): void {
    const annotation = writeAnnotation(source, this.kept.length);
    if (annotation === undefined) return;
    const index = this.annotations.length;
    if (this.stream.keep(JSON.stringify(annotation).length)) this.annotations.push(annotation);
    this.emit('output_text.annotation.added', { content_index: 0, annotation_index: index, annotation });
  }

  /** Says that it is done. @returns the item as the response repeats it */
  close(): Document {
    this.openItem();
    switch (this.kind) {
      case 'message':
        this.closeText();
        break;
      case 'reasoning':
        if (!this.hasPart) break;
        this.sealThought();
        this.emit('reasoning_summary_text.done', { summary_index: 0, text: this.kept });
        this.emit('reasoning_summary_part.done', {
          summary_index: 0,
          part: { type: 'summary_text', text: this.kept },
        });
        break;
      case 'call':
        this.emit('function_call_arguments.done', { arguments: this.kept, name: this.named['name'] });
        break;
      case 'custom':
        if (this.isWrapped) {
          this.kept = freeformInputOf(this.kept);
          this.emit('custom_tool_call_input.delta', { delta: this.kept });
        }
        this.emit('custom_tool_call_input.done', { input: this.kept });
    }
    const item = this.item(this.hasBrokenArguments() ? 'incomplete' : 'completed');
    this.stream.emit('response.output_item.done', { output_index: this.index, item });
    return item;
  }

  /** The answer ended inside the arguments of this call. */
  private hasBrokenArguments(): boolean {
    if (this.kind !== 'call' || this.isCut) return false;
    return !hasWholeCall([{ type: 'tool-call', callId: '', name: '', json: this.kept }]);
  }

  private sealThought(): void {
    if (this.encrypted !== undefined || this.isCut || this.kept === '' || this.stream.sealsThoughts !== true)
      return;
    const encrypted = writeOwnThought(this.kept);
    if (this.stream.keep(encrypted.length)) this.encrypted = encrypted;
  }

  private closeText(): void {
    this.openPart();
    for (const source of this.waiting.splice(0)) this.annotate(source);
    if (this.isRefusal) this.emit('refusal.done', { content_index: 0, refusal: this.kept });
    else this.emit('output_text.done', { content_index: 0, text: this.kept, logprobs: this.logprobs });
    this.emit('content_part.done', { content_index: 0, part: this.part(this.kept) });
  }

  private openItem(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.stream.emit('response.output_item.added', {
      output_index: this.index,
      item: this.item('in_progress'),
    });
  }

  private openPart(): void {
    this.openItem();
    if (this.hasPart) return;
    this.hasPart = true;
    if (this.kind === 'reasoning')
      this.emit('reasoning_summary_part.added', {
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      });
    else this.emit('content_part.added', { content_index: 0, part: this.part('') });
  }

  private part(text: string): Document {
    if (this.isRefusal) return { type: 'refusal', refusal: text };
    return { type: 'output_text', annotations: [...this.annotations], logprobs: [...this.logprobs], text };
  }

  private item(status: 'in_progress' | 'completed' | 'incomplete'): Document {
    const isDone = status !== 'in_progress';
    switch (this.kind) {
      case 'message': {
        const content = isDone ? [this.part(this.kept)] : [];
        return { id: this.id, type: 'message', status, role: 'assistant', content };
      }
      case 'reasoning': {
        const summary = isDone && this.hasPart ? [{ type: 'summary_text', text: this.kept }] : [];
        const encrypted = this.encrypted === undefined ? {} : { encrypted_content: this.encrypted };
        return { id: this.id, type: 'reasoning', summary, ...encrypted };
      }
      case 'call':
      case 'custom': {
        const isCall = this.kind === 'call';
        const input = isDone ? this.kept : '';
        const type = isCall ? 'function_call' : 'custom_tool_call';
        const named = { id: this.id, type, status, call_id: this.callId };
        return {
          // First and last: in their usual order, and never those of the vendor.
          ...named,
          ...this.named,
          ...named,
          ...(isCall ? { arguments: input } : { input }),
        };
      }
    }
  }

  private remember(text: string): void {
    if (this.stream.keep(text.length)) this.kept += text;
    else this.isCut = true;
  }

  private emit(type: string, members: Document): void {
    this.stream.emit(`response.${type}`, { item_id: this.id, output_index: this.index, ...members });
  }
}

/** Sources that wait at most; more are emitted as they come. */
const MAX_WAITING_SOURCES = 200;
/** Characters one token's probabilities take. */
const TYPICAL_LOGPROB = 200;
