import { spliceFields } from '../../../framing/json-splice.js';
import type { RequestEdits, UpstreamFormat, WrittenRequest } from '../../../formats/contract/api-format.js';
import {
  refuseContent,
  refuseSeveralChoices,
  warnOfLost,
  warnOfModelSettings,
  warnOfOtherFormatFields,
} from '../../../formats/shared/fields/dropped-fields.js';
import { LIBRARY_FORMAT } from './id.js';
import { LibraryChatMeter } from './meter.js';
import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply, ChatRequest } from '../../../model/chat.js';
import type { ContentPart, Source } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import {
  type Document,
  documentOf,
  listOf,
  parseDocument,
  textOf,
} from '../../../formats/shared/fields/json-fields.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import type { Warning } from '../../../model/warning.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { writeTranscript } from '../../../formats/shared/requests/write-transcript.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';

/** A question is words. */
export const supportsPart = supportsTextAnd();

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Questions to a library of documents at AI Proxy; its maker publishes no pages about it any more. */
export const libraryChat: UpstreamFormat<'chat'> = {
  id: LIBRARY_FORMAT,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeLibraryRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new LibraryChatMeter(),
  readReply: readLibraryReply,
  openReplyReader: () => new LibraryReplyReader(),
};

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readLibraryReply(body: Buffer): Result<ChatReply, RelayError> {
  const document = documentOf(parseDocument(body.toString('utf8')));
  const text = document['answer'];
  if (typeof text !== 'string') {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const sources = readDocuments(document).map((source): ContentPart => ({ type: 'source', source }));
  const content: readonly ContentPart[] = [{ type: 'text', text }, ...sources];
  return ok({
    id: '',
    servedModel: '',
    createdAtSeconds: undefined,
    choices: [{ content, finish: { unified: 'stop', raw: undefined } }],
    usage: undefined,
  });
}

/** Frames of a library's stream → neutral events. */
export class LibraryReplyReader extends OneAnswerReader {
  /** Frames name their documents again and again. */
  private readonly sources = new Map<string, Source>();

  protected override head(): ReplyHead {
    return {};
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    if (this.finishReason !== undefined) return;
    for (const source of readDocuments(frame))
      this.sources.set(JSON.stringify([source.url, source.title, source.quote]), source);
    this.parts.addText('text', textOf(frame['content']), events);
    if (frame['finish'] !== true) return;
    this.close(events);
    this.end(FINISH, events);
  }

  protected override close(events: StreamEvent[]): void {
    const block = this.parts.last;
    for (const source of this.sources.values()) events.push({ type: 'source', block, choice: 0, source });
    this.sources.clear();
    super.close(events);
  }
}

/** Neutral request → body of `/api/library/ask`. The library stands in the format's own options. */
export function writeLibraryRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const query = writeTranscript(request.messages, (part) => {
    if (!supportsPart(part))
      warnings.push({ setting: 'messages', reason: `an earlier answer's ${part.type} was left out` });
    return undefined;
  });
  const body: Record<string, unknown> = {
    model: edits.upstreamModel,
    query,
    libraryId: request.vendorOptions?.[LIBRARY_FORMAT]?.['libraryId'] ?? '',
    stream: request.stream,
  };
  warnOfModelSettings(request, 'a library', warnings);
  warnOfLost(request, ['user'], warnings);
  warnOfOtherFormatFields(request.vendorOptions, LIBRARY_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Documents of the library an answer rests on. */
export function readDocuments(answer: Document): readonly Source[] {
  return listOf(answer['documents']).map((item) => {
    const found = documentOf(item);
    const [url, title, quote] = [textOf(found['url']), textOf(found['title']), textOf(found['content'])];
    return {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(quote === undefined ? {} : { quote }),
      vendorOptions: { [LIBRARY_FORMAT]: found },
    };
  });
}
