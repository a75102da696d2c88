import type { ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { freeformInputOf, freeformToolsOf } from '../shared/fields/freeform-tools.js';
import { hasWholeCall } from '../shared/fields/tool-arguments.js';
import { documentOf, listOf, type Document } from '../shared/fields/json-fields.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { writeAnnotation } from './annotations.js';
import { asksForCompaction, compactionItem, isCompaction } from './compaction.js';
import { RESPONSES_FORMAT } from './id.js';
import { placesOf, writeName } from './namespaces.js';
import { wantsEncryptedThoughts, writeOwnThought } from './own-thoughts.js';
import { finalState, itemId, repeatRequest, responseId, writeResponse } from './response-object.js';
import { reasoningItem } from './write-items.js';

/** Neutral reply → `response`. Its first answer is written; more cannot be requested. */
export function writeResponsesReply(
  reply: ChatReply,
  context: ReplyContext,
  call: ParsedCall<'chat'>,
): Buffer {
  const [choice] = reply.choices;
  const request = call.neutral();
  const freeform = request.ok ? freeformToolsOf(request.value) : undefined;
  const output = new OutputItems(context, {
    freeform,
    places: placesOf(call),
    sealsThoughts: wantsEncryptedThoughts(call),
  });
  const content = choice?.content ?? [];
  const summary =
    asksForCompaction(call) && !content.some((part) => part.type === 'vendor' && isCompaction(part))
      ? textsOf(content)
      : '';
  if (summary === '') for (const part of content) output.add(part, choice?.logprobs);
  else output.items.push(compactionItem(itemId('cmp', context, 0), summary));
  const { status, reason } = finalState(choice?.finish);
  const document = writeResponse(
    {
      id: responseId(reply.id, context),
      createdAtSeconds: reply.createdAtSeconds ?? context.createdAtSeconds,
      model: reply.servedModel === '' ? context.model : reply.servedModel,
    },
    { ...repeatRequest(call), ...reply.vendorOptions?.[RESPONSES_FORMAT] },
    { status, reason, output: output.items, usage: reply.usage },
  );
  return Buffer.from(JSON.stringify(document));
}

const textsOf = (content: readonly ContentPart[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Parts of an answer as items of the output. */
class OutputItems {
  readonly items: Record<string, unknown>[] = [];
  private texts: Record<string, unknown>[] | undefined;
  /** Annotations of the text they were added to last: an answer may have any number of them. */
  private annotated: { readonly text: Document; readonly annotations: unknown[] } | undefined;

  constructor(
    private readonly context: ReplyContext,
    private readonly tools: {
      readonly freeform: ReadonlySet<string> | undefined;
      readonly places: ReturnType<typeof placesOf>;
      readonly sealsThoughts: boolean;
    },
  ) {}

  add(part: ContentPart, logprobs: unknown): void {
    switch (part.type) {
      case 'text':
        // Words that hold nothing but a signature would be one more text, which readers of a form cannot read.
        if (part.text === '' && part.signature !== undefined) break;
        this.message({
          ...part.vendorOptions?.[RESPONSES_FORMAT],
          type: 'output_text',
          annotations: [],
          logprobs: listOf(documentOf(logprobs)['content']),
          text: part.text,
        });
        break;
      case 'refusal':
        this.message({ type: 'refusal', refusal: part.text });
        break;
      case 'source': {
        const text = this.texts?.findLast(({ type }) => type === 'output_text');
        const annotation = writeAnnotation(part.source, String(text?.['text'] ?? '').length);
        if (annotation === undefined) return;
        if (text === undefined)
          this.message({ type: 'output_text', annotations: [annotation], logprobs: [], text: '' });
        else this.annotate(text, annotation);
        return;
      }
      case 'reasoning':
        this.item(
          {
            id: part.signature?.by === 'openai' ? part.signature.id : undefined,
            ...(this.tools.sealsThoughts && part.text !== ''
              ? { encrypted_content: writeOwnThought(part.text) }
              : {}),
            ...reasoningItem(part),
          },
          'rs',
        );
        return;
      case 'tool-call':
        this.toolCall(part);
        return;
      case 'image':
        if (part.source.kind === 'base64') {
          this.item(
            {
              ...part.vendorOptions?.[RESPONSES_FORMAT],
              type: 'image_generation_call',
              status: 'completed',
              result: part.source.base64,
            },
            'ig',
          );
        } else if (part.source.kind === 'url')
          this.message({
            type: 'output_text',
            annotations: [],
            logprobs: [],
            text: `![image](${part.source.url})`,
          });
        return;
      case 'vendor':
        if (part.apiFormat === RESPONSES_FORMAT) this.item(documentOf(part.value), 'item');
        return;
      case 'audio':
      case 'video':
      case 'file':
        return;
    }
    if (part.signature === undefined) return;
    // Sources that follow stand in the text, not behind its signature.
    const { texts } = this;
    this.carry(part);
    this.texts = texts;
  }

  private annotate(text: Record<string, unknown>, annotation: Document): void {
    if (this.annotated?.text !== text) {
      const annotations = [...listOf(text['annotations'])];
      text['annotations'] = annotations;
      this.annotated = { text, annotations };
    }
    this.annotated.annotations.push(annotation);
  }

  /** A message for every text, as in streams: sources stand in the text before them. */
  private message(text: Record<string, unknown>): void {
    const texts = [text];
    this.item({ type: 'message', status: 'completed', role: 'assistant', content: texts }, 'msg');
    this.texts = texts;
  }

  private toolCall(part: Extract<ContentPart, { type: 'tool-call' }>): void {
    const isWrapped = part.isFreeform !== true && this.tools.freeform?.has(part.name) === true;
    const callId = part.callId === '' ? itemId('call', this.context, this.items.length) : part.callId;
    const status = part.isFreeform === true || isWrapped || hasWholeCall([part]) ? 'completed' : 'incomplete';
    const named = {
      ...part.vendorOptions?.[RESPONSES_FORMAT],
      status,
      call_id: callId,
      ...writeName(part.name, this.tools.places, part.vendorOptions?.[RESPONSES_FORMAT]),
    };
    if (part.isFreeform === true || isWrapped) {
      const input = isWrapped ? freeformInputOf(part.json) : part.json;
      this.item({ ...named, type: 'custom_tool_call', input }, 'ctc');
    } else this.item({ ...named, type: 'function_call', arguments: part.json }, 'fc');
    if (part.signature !== undefined) this.carry({ ...part, callId });
  }

  /** Calls and texts have no place for a signature: a piece of hidden reasoning carries it, named after the call. */
  private carry(part: Exclude<ContentPart, { type: 'vendor' }>): void {
    if (part.signature === undefined) return;
    const signature = part.type === 'tool-call' ? { ...part.signature, id: part.callId } : part.signature;
    this.item(reasoningItem({ type: 'reasoning', text: '', signature }), 'rs');
  }

  private item(item: Document, kind: string): void {
    this.texts = undefined;
    const id = item['id'] ?? itemId(kind, this.context, this.items.length);
    this.items.push({ ...item, id });
  }
}
