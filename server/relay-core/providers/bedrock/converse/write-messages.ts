import type { ChatRequest, Message } from '../../../model/chat.js';
import type { CacheMark, ContentPart } from '../../../model/content.js';
import type { Warning } from '../../../model/warning.js';
import { isDocument, parseDocument } from '../../../formats/shared/fields/json-fields.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { CONVERSE_FORMAT } from './id.js';
import { documentName, imageFormat, mediaFormat } from './media-formats.js';
import { familyOf, supportsCachePoints } from './model-family.js';
import { shortToolId, takenToolId } from './tool-id.js';

type Block = Record<string, unknown>;
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** Text of a first turn that the vendor requires and the caller did not send. */
const PLACEHOLDER = '...';

const isShown = ({ type }: ContentPart): boolean => type === 'image' || type === 'video' || type === 'file';

const SENT_AS_TEXT = 'tool calls without tools to call were sent as text';

/** Writes the turns of one request. */
export class TurnWriter {
  readonly system: Block[] = [];
  readonly turns: Turn[] = [];
  private documents = 0;
  private readonly documentNames = new Set<string>();
  private readonly isMistral: boolean;
  private readonly isAnthropic: boolean;
  private readonly takesCache: boolean;

  /**
   * @param carriesTools  the request brings tools; without them the vendor takes no tool content, so it is sent as text
   */
  constructor(
    model: string,
    private readonly carriesTools: boolean,
    private readonly warnings: Warning[],
  ) {
    const family = familyOf(model);
    this.isMistral = family === 'mistral';
    this.isAnthropic = family === 'anthropic';
    this.takesCache = supportsCachePoints(model);
  }

  write(request: ChatRequest): void {
    for (const message of orderHistory(request, this.warnings)) {
      if (message.role === 'system' || message.role === 'developer') this.systemMessage(message);
      else if (message.role === 'tool') this.toolMessage(message);
      else this.message(message.role, message.content);
    }
    this.joinTurns();
    this.nameDocuments();
    if (this.turns[0]?.role !== 'user')
      this.turns.unshift({ role: 'user', content: [{ text: PLACEHOLDER }] });
    this.trimPrefill();
  }

  private systemMessage(
    message: Extract<Message, { role: 'system' | 'developer' | 'user' | 'assistant' }>,
  ): void {
    if (this.turns.length > 0)
      this.warn('messages', 'instructions inside the conversation were moved to its beginning');
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'refusal') {
        if (part.text.trim() !== '') this.system.push({ text: part.text });
        this.cachePoint(part.cache, this.system);
      } else this.warn('messages', 'instructions are text only');
    }
  }

  private toolMessage(message: Extract<Message, { role: 'tool' }>): void {
    const { content } = this.turnOf('user');
    if (!this.carriesTools) {
      this.warn('messages', SENT_AS_TEXT);
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      content.push({ text: `Result of ${message.name ?? 'the tool'}: ${text}` });
      return;
    }
    const result: Block[] = [];
    for (const part of message.content) {
      if (part.type === 'text') {
        if (part.text.trim() !== '') result.push({ text: part.text });
      } else this.part(part, result);
    }
    content.push({
      toolResult: {
        toolUseId: this.toolId(message.callId),
        content: result,
        ...(message.isError === true ? { status: 'error' } : {}),
      },
    });
    this.cachePoint(message.cache, content);
  }

  private message(role: 'user' | 'assistant', parts: readonly ContentPart[]): void {
    const { content } = this.turnOf(role);
    const isAnswer = role === 'assistant';
    for (const part of parts) {
      if (isAnswer && isShown(part)) continue;
      this.part(part, content);
      if (part.type !== 'vendor') this.cachePoint(part.cache, content);
    }
    if (isAnswer) this.showFiles(parts);
  }

  /**
   * Images and files stand in turns of the user only
   * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html, read 2026-11-26): those of an answer follow
   * it, where the results of its calls need not.
   */
  private showFiles(parts: readonly ContentPart[]): void {
    const shown = parts.filter(isShown);
    if (shown.length === 0) return;
    if (parts.some(({ type }) => type === 'tool-call')) {
      this.warn('messages', 'pictures and files of an answer that calls tools were left out');
      return;
    }
    const { content } = this.turnOf('user');
    content.push({ text: 'Files of the answer:' });
    for (const part of shown) this.part(part, content);
  }

  private part(part: ContentPart, content: Block[]): void {
    switch (part.type) {
      case 'text':
      case 'refusal':
        // The vendor refuses blank texts.
        if (part.text.trim() !== '') content.push({ text: part.text });
        return;
      case 'reasoning':
        this.reasoning(part, content);
        return;
      case 'tool-call':
        this.toolCall(part, content);
        return;
      case 'image':
      case 'video':
      case 'file':
        this.media(part, content);
        return;
      case 'audio':
        this.warn('messages', 'sound is not taken by this upstream and was left out');
        return;
      case 'source':
        return;
      case 'vendor':
        if (part.apiFormat === CONVERSE_FORMAT && isDocument(part.value)) content.push({ ...part.value });
        else this.warn('messages', `a part only the ${part.apiFormat} format knows was left out`);
        return;
    }
  }

  /** Thoughts go back only with their signature, exactly as they came: the vendor checks every letter. */
  private reasoning(part: Extract<ContentPart, { type: 'reasoning' }>, content: Block[]): void {
    const { signature } = part;
    if (!this.isAnthropic || signature === undefined || signature.by !== 'anthropic') {
      this.warn('messages', 'thoughts without a signature this model knows were left out');
      return;
    }
    content.push({
      reasoningContent:
        part.isRedacted === true
          ? { redactedContent: signature.data }
          : { reasoningText: { text: part.text, signature: signature.data } },
    });
  }

  private toolCall(part: Extract<ContentPart, { type: 'tool-call' }>, content: Block[]): void {
    if (!this.carriesTools) {
      this.warn('messages', SENT_AS_TEXT);
      content.push({ text: `Called ${part.name} with ${part.json === '' ? '{}' : part.json}` });
      return;
    }
    const input = part.isFreeform === true ? { input: part.json } : this.inputOf(part.json);
    content.push({ toolUse: { toolUseId: this.toolId(part.callId), name: part.name, input } });
  }

  private inputOf(json: string): unknown {
    if (json.trim() === '') return {};
    const input = parseDocument(json);
    if (input !== undefined) return input;
    this.warn('messages', 'arguments of a tool call that are no JSON object were left out');
    return {};
  }

  private media(
    part: Extract<ContentPart, { type: 'image' | 'audio' | 'video' | 'file' }>,
    content: Block[],
  ): void {
    const { source } = part;
    if (source.kind === 'vendor-file') {
      this.warn('messages', 'a file kept by another vendor was left out');
      return;
    }
    const isStored = source.kind === 'url' && source.url.startsWith('s3://');
    if (source.kind === 'url' && !isStored) {
      this.warn('messages', 'a file given by its address was left out');
      return;
    }
    const base64 = source.kind === 'base64' ? source.base64 : '';
    const bytes = isStored ? { s3Location: { uri: source.url } } : { bytes: base64 };
    const mediaType = source.mediaType;
    const format = mediaFormat(part);
    if (part.type === 'file' && format === undefined) {
      const image = imageFormat(mediaType);
      if (image !== undefined) {
        content.push({ image: { format: image, source: bytes } });
        return;
      }
    }
    if (format === undefined) {
      this.warn('messages', 'a file of a kind this upstream does not read was left out');
      return;
    }
    if (part.type === 'file') {
      content.push({ document: { format, name: this.nameOf(part.fileName), source: bytes } });
    } else content.push({ [part.type]: { format, source: bytes } });
  }

  /** Names must differ inside a conversation. */
  private nameOf(fileName: string | undefined): string {
    this.documents += 1;
    let name = documentName(fileName) ?? `document-${this.documents}`;
    if (this.documentNames.has(name)) name = `${name} ${this.documents}`;
    this.documentNames.add(name);
    return name;
  }

  private cachePoint(mark: CacheMark | undefined, content: Block[]): void {
    if (mark === undefined || content.length === 0) return;
    if (!this.takesCache) {
      this.warn('cache_control', 'this model keeps no prompts where it is asked to');
      return;
    }
    content.push({
      cachePoint: {
        type: 'default',
        ...(mark.ttl === undefined || !this.isAnthropic ? {} : { ttl: mark.ttl }),
      },
    });
  }

  /** The turn that is being written: neighbours of one role share it. */
  private turnOf(role: 'user' | 'assistant'): Turn {
    const last = this.turns.at(-1);
    if (last?.role === role) return last;
    const turn: Turn = { role, content: [] };
    this.turns.push(turn);
    return turn;
  }

  /** A turn of which nothing is left is none, and its neighbours are one. */
  private joinTurns(): void {
    for (const turn of this.turns.splice(0)) {
      const last = this.turns.at(-1);
      if (turn.content.length === 0) continue;
      if (last?.role === turn.role) last.content.push(...turn.content);
      else this.turns.push(turn);
    }
  }

  /**
   * The vendor refuses a turn with a document and without words
   * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html, read 2026-11-26).
   */
  private nameDocuments(): void {
    for (const { content } of this.turns) {
      const names = content.flatMap(({ document }) =>
        isDocument(document) ? [String(document['name'])] : [],
      );
      if (names.length > 0 && !content.some(({ text }) => text !== undefined))
        content.push({ text: names.join(', ') });
    }
  }

  /** The vendor refuses an answer to go on with that ends in white space. */
  private trimPrefill(): void {
    const last = this.turns.at(-1);
    const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
    if (block !== undefined && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
  }

  private toolId(callId: string): string {
    return this.isMistral ? shortToolId(callId) : takenToolId(callId);
  }

  private warn(setting: string, reason: string): void {
    if (!this.warnings.some((known) => known.reason === reason)) this.warnings.push({ setting, reason });
  }
}
