import { isRecord, parseJson } from '../../../shared/format/json';
import type { Failure, MessageFacts, MessagePart } from './messages';

interface ToolCall {
  id: string;
  name: string;
  args: string;
}

const ENDINGS: Readonly<Record<string, MessageFacts['ending']>> = {
  length: 'length',
  content_filter: 'filtered',
};

/** Translates the events of one streamed chat answer into pieces of a message. Unknown members are skipped. */
export class AnswerReader {
  /** Set by an error event or an event that is no JSON; nothing is read after it. */
  failure: Failure | undefined;
  ending: MessageFacts['ending'];
  /** True once text, reasoning, a file or a tool call came. */
  hasContent = false;
  private readonly tools = new Map<number, ToolCall>();

  /** @param data  data of one event other than `[DONE]` */
  read(data: string): MessagePart[] {
    const event = parseJson(data);
    if (!isRecord(event)) return this.fail(data, data);
    const { error } = event;
    if (error !== undefined && error !== null) return this.fail(errorText(error, data), data, codeOf(error));
    const choice: unknown = Array.isArray(event['choices']) ? (event['choices'] as unknown[])[0] : undefined;
    if (!isRecord(choice)) return [];
    const reason = choice['finish_reason'];
    if (typeof reason === 'string') this.ending = ENDINGS[reason] ?? this.ending;
    return isRecord(choice['delta']) ? this.readDelta(choice['delta']) : [];
  }

  /** Tool calls, which are whole only at the end; call once. */
  end(): MessagePart[] {
    return [...this.tools.values()].map(({ id, name, args }) => ({
      type: 'tool',
      toolCallId: id === '' ? crypto.randomUUID() : id,
      toolName: name,
      input: parseJson(args) ?? args,
    }));
  }

  private readDelta(delta: Readonly<Record<string, unknown>>): MessagePart[] {
    const {
      content,
      reasoning_content: reasoning,
      reasoning: otherReasoning,
      tool_calls: calls,
      images,
    } = delta;
    return [
      ...this.append('reasoning', reasoning ?? otherReasoning),
      ...this.append('text', content),
      ...(Array.isArray(images) ? (images as unknown[]).flatMap((image) => this.readImage(image)) : []),
      ...(Array.isArray(calls) ? (calls as unknown[]).flatMap((call) => this.readToolCall(call)) : []),
    ];
  }

  private append(type: 'text' | 'reasoning', text: unknown): MessagePart[] {
    if (typeof text !== 'string' || text === '') return [];
    this.hasContent = true;
    return [{ type, text }];
  }

  /** Only images inside the answer itself; an address elsewhere is none of a part's. */
  private readImage(image: unknown): MessagePart[] {
    const address = isRecord(image) && isRecord(image['image_url']) ? image['image_url']['url'] : undefined;
    const mediaType =
      typeof address === 'string' ? /^data:(image\/[\w.+-]+);base64,/.exec(address)?.[1] : undefined;
    if (typeof address !== 'string' || mediaType === undefined) return [];
    this.hasContent = true;
    return [{ type: 'file', url: address, mediaType }];
  }

  private readToolCall(call: unknown): MessagePart[] {
    if (!isRecord(call)) return [];
    const index = typeof call['index'] === 'number' ? call['index'] : this.tools.size;
    const known = this.tools.get(index) ?? { id: '', name: '', args: '' };
    const own = isRecord(call['function']) ? call['function'] : {};
    if (typeof call['id'] === 'string' && call['id'] !== '') known.id = call['id'];
    if (typeof own['name'] === 'string') known.name += own['name'];
    if (typeof own['arguments'] === 'string') known.args += own['arguments'];
    this.tools.set(index, known);
    this.hasContent = true;
    return [];
  }

  private fail(message: string, data: string, code = ''): MessagePart[] {
    this.failure = { status: 200, code, message, data };
    return [];
  }
}

const codeOf = (error: unknown): string =>
  isRecord(error) && typeof error['code'] === 'string' ? error['code'] : '';

function errorText(error: unknown, data: string): string {
  if (typeof error === 'string') return error;
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : data;
}
