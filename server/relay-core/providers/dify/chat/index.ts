import { createHash } from 'node:crypto';
import { spliceFields } from '../../../framing/json-splice.js';
import {
  refuseContent,
  refuseSeveralChoices,
  warnOfModelSettings,
  warnOfOtherFormatFields,
} from '../../../formats/shared/fields/dropped-fields.js';
import type { RequestEdits, UpstreamFormat, WrittenRequest } from '../../../formats/contract/api-format.js';
import { DIFY_FORMAT, type DifyApplication } from './id.js';
import { DifyMeter } from './meter.js';
import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply, ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import {
  type Document,
  documentOf,
  isDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { readResources, textOfOutputs } from './read-outputs.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';
import type { Warning } from '../../../model/warning.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { writeTranscript } from '../../../formats/shared/requests/write-transcript.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';

/** Marks of thoughts inside an answer: plain tags, or a folded box. */
const MARKS: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  [
    '<details style="color:gray;background-color: #f8f8f8;padding: 8px;border-radius: 4px;" open> <summary> Thinking... </summary>',
    '</details>',
  ],
];

const FINISH = { unified: 'stop', raw: undefined } as const;

/** The vendor takes images and files by address only. */
export const supportsPart = supportsTextAnd('image', 'file');

/** The conversation in words; the files it shows stand beside them. */
const writeQuery = (
  messages: readonly Message[],
  files: Record<string, unknown>[],
  warnings: Warning[],
): string =>
  writeTranscript(messages, (part) => {
    if (part.type === 'image' && part.source.kind === 'url') {
      files.push({ type: 'image', transfer_method: 'remote_url', url: part.source.url });
    } else if (part.type === 'file' && part.source.kind === 'url') {
      files.push({ type: 'document', transfer_method: 'remote_url', url: part.source.url });
    } else if (!supportsPart(part)) {
      warnings.push({ setting: 'messages', reason: `an earlier answer's ${part.type} was left out` });
    }
    return undefined;
  });

/** The vendor requires a user id; two calls with the same question may share one. */
const anonymousUser = (query: string): string =>
  `caller-${createHash('sha256').update(query).digest('hex').slice(0, 16)}`;

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

/** Dify's grammar, by application: https://docs.dify.ai/api-reference (read 2026-11-21). */
const apiFormatOf = (application: DifyApplication): UpstreamFormat<'chat'> => ({
  id: application === 'chat' ? DIFY_FORMAT : `dify-${application}`,
  // The application stands behind the key; a body of this format names no model.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => writeDifyRequest(application, request, edits),
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new DifyMeter(),
  readReply: readDifyReply,
  openReplyReader: () => new DifyReplyReader(),
});

export const difyChat = apiFormatOf('chat');
export const difyCompletion = apiFormatOf('completion');
export const difyWorkflow = apiFormatOf('workflow');

/** Whole reply of any application → neutral reply. Fails: upstream-malformed. */
export function readDifyReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, undefined, JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const data = documentOf(document['data']);
  const isWorkflow = isDocument(document['data']) && typeof document['answer'] !== 'string';
  if (!isWorkflow && typeof document['answer'] !== 'string') return fail(MALFORMED);
  const text = isWorkflow ? textOfOutputs(data['outputs']) : (textOf(document['answer']) ?? '');
  const metadata = documentOf(document['metadata']);
  const content: ContentPart[] = [...splitThoughts(text)];
  for (const source of readResources(metadata)) content.push({ type: 'source', source });
  const usage = readUsage(metadata['usage']);
  return ok({
    id: textOf(document['message_id']) ?? textOf(document['workflow_run_id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['created_at']) ?? wholeSecondsOf(data['created_at']),
    choices: [{ content, finish: { unified: 'stop', raw: undefined } }],
    usage: usage === 'invalid' ? undefined : usage,
  });
}

/** Neutral request → body of `chat-messages`, `completion-messages` or `workflows/run`. The application knows its model. */
export function writeDifyRequest(
  application: DifyApplication,
  request: ChatRequest,
  edits: RequestEdits,
): WrittenRequest {
  const warnings: Warning[] = [];
  const files: Record<string, unknown>[] = [];
  const query = writeQuery(request.messages, files, warnings);
  const inputs = callersInputs(request);
  const body: Record<string, unknown> = {
    inputs: application === 'chat' ? inputs : { query, ...inputs },
    response_mode: request.stream ? 'streaming' : 'blocking',
    user: request.user ?? anonymousUser(query),
  };
  if (application === 'chat') {
    body['query'] = query;
    body['auto_generate_name'] = false;
  }
  if (files.length > 0) body['files'] = files;
  warnOfModelSettings(request, 'a Dify application', warnings);
  warnOfOtherFormatFields(request.vendorOptions, DIFY_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Variables of the application, given under the vendor's own name. */
function callersInputs(request: ChatRequest): Readonly<Record<string, unknown>> {
  for (const options of Object.values(request.vendorOptions ?? {})) {
    if (isDocument(options['inputs'])) return options['inputs'];
  }
  return {};
}

/** Frames of a Dify stream → neutral events. What a workflow does inside is not part of the answer. */
export class DifyReplyReader extends OneAnswerReader {
  private readonly splitter = new ThoughtSplitter();
  private hasText = false;

  protected override head(frame: Document): ReplyHead {
    return {
      id: textOf(frame['message_id']) ?? textOf(frame['workflow_run_id']),
      createdAtSeconds: wholeSecondsOf(frame['created_at']),
    };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    switch (frame['event']) {
      case 'message':
      case 'agent_message':
        this.text(textOf(frame['answer']), events);
        break;
      case 'text_chunk':
        this.text(textOf(documentOf(frame['data'])['text']), events);
        break;
      case 'workflow_finished':
        if (!this.hasText) this.text(textOfOutputs(documentOf(frame['data'])['outputs']), events);
        break;
      case 'message_end':
        this.finishAnswer(documentOf(frame['metadata']), events);
        break;
      default:
        break;
    }
  }

  /** Workflows end without a word of their own. */
  protected override close(events: StreamEvent[]): void {
    if (this.finishReason === undefined) this.finishAnswer({}, events);
  }

  private text(text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined || text === '') return;
    this.hasText = true;
    this.pieces(this.splitter.push(text), events);
  }

  private pieces(pieces: ReturnType<ThoughtSplitter['push']>, events: StreamEvent[]): void {
    for (const { isThought, text } of pieces)
      this.parts.addText(isThought ? 'reasoning' : 'text', text, events);
  }

  private finishAnswer(metadata: Document, events: StreamEvent[]): void {
    this.pieces(this.splitter.finish(), events);
    const block = this.parts.last;
    for (const source of readResources(metadata)) events.push({ type: 'source', block, choice: 0, source });
    this.parts.closeAll(events);
    this.report(readUsage(metadata['usage']), events);
    this.end(FINISH, events);
  }
}

/** Thoughts at the beginning of an answer, apart from its text. */
export function splitThoughts(answer: string): readonly ContentPart[] {
  for (const [open, close] of MARKS) {
    if (!answer.startsWith(open)) continue;
    const end = answer.indexOf(close, open.length);
    if (end === -1) break;
    const thoughts = answer.slice(open.length, end).trim();
    const text = answer.slice(end + close.length).replace(/^\n+/, '');
    return [
      ...(thoughts === '' ? [] : [{ type: 'reasoning', text: thoughts } as const]),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ];
  }
  return answer === '' ? [] : [{ type: 'text', text: answer }];
}

/** Splits a streamed answer into thoughts and text. */
export class ThoughtSplitter {
  private held = '';
  private state: 'start' | 'thinking' | 'text' = 'start';
  private close = '';
  private isFirstText = true;

  /** @returns pieces to give on now */
  push(piece: string): readonly { readonly isThought: boolean; readonly text: string }[] {
    this.held += piece;
    if (this.state === 'start') {
      const opened = MARKS.find(([open]) => this.held.startsWith(open));
      if (opened !== undefined) {
        this.state = 'thinking';
        this.held = this.held.slice(opened[0].length).replace(/^\n/, '');
        this.close = opened[1];
      } else if (!MARKS.some(([open]) => open.startsWith(this.held))) this.state = 'text';
      else return [];
    }
    if (this.state === 'thinking') return this.thinking();
    return this.saying();
  }

  /** Returns the text held back as a possible start of a mark. */
  finish(): readonly { readonly isThought: boolean; readonly text: string }[] {
    const text = this.held;
    this.held = '';
    return text === '' ? [] : [{ isThought: this.state === 'thinking', text }];
  }

  private thinking(): readonly { readonly isThought: boolean; readonly text: string }[] {
    const end = this.held.indexOf(this.close);
    if (end === -1) {
      const safe = this.held.length - overlap(this.held, this.close);
      const text = this.held.slice(0, safe);
      this.held = this.held.slice(safe);
      return text === '' ? [] : [{ isThought: true, text }];
    }
    const thought = this.held.slice(0, end);
    this.held = this.held.slice(end + this.close.length);
    this.state = 'text';
    return [...(thought === '' ? [] : [{ isThought: true, text: thought }]), ...this.saying()];
  }

  private saying(): readonly { readonly isThought: boolean; readonly text: string }[] {
    let text = this.held;
    this.held = '';
    if (this.isFirstText && this.close !== '') text = text.replace(/^\n+/, '');
    if (text === '') return [];
    this.isFirstText = false;
    return [{ isThought: false, text }];
  }
}

/** Characters at the end of `text` that may be the beginning of `mark`. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
