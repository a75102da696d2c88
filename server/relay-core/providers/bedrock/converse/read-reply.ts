import { ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart, Source } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { keepUnknown } from '../../../model/vendor-options.js';
import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import type { ParsedCall } from '../../../formats/contract/api-format.js';
import { answerToolOf } from './answer-tool.js';
import { readFinishReason } from './finish-reason.js';
import { CONVERSE_FORMAT } from './id.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a Converse reply' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['output', 'stopReason', 'usage']);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readConverseReply(body: Buffer, call: ParsedCall<'chat'>): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => isDocument(document['output']));
  if (!read.ok) return read;
  const document = read.value;
  const blocks = listOf(documentOf(documentOf(document['output'])['message'])['content']).map(documentOf);
  const answerTool = answerToolOfCall(call);
  const content = blocks.flatMap((block) => readBlock(block, answerTool));
  const reason = textOf(document['stopReason']);
  const usage = readUsage(document['usage']);
  const calls = content.some((part) => part.type === 'tool-call');
  const answersByTool = !calls && blocks.some((block) => isAnswer(block, answerTool));
  const vendorOptions = keepUnknown(CONVERSE_FORMAT, document, KNOWN_FIELDS);
  return ok({
    // Neither stands in the body.
    id: '',
    servedModel: '',
    createdAtSeconds: undefined,
    choices: [
      {
        content,
        finish:
          reason === undefined
            ? undefined
            : readFinishReason(reason, readStopSequence(document), answersByTool),
      },
    ],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** The tool a bound answer of this call comes by. */
export function answerToolOfCall(call: ParsedCall<'chat'>): string | undefined {
  const request = call.neutral();
  return request.ok ? answerToolOf(request.value) : undefined;
}

/** Asked for with `additionalModelResponseFieldPaths`. */
export function readStopSequence(document: Document): string | undefined {
  const fields = documentOf(document['additionalModelResponseFields']);
  return textOf(documentOf(fields['delta'])['stop_sequence']) ?? textOf(fields['stop_sequence']);
}

const isAnswer = (block: Document, answerTool: string | undefined): boolean =>
  answerTool !== undefined && documentOf(block['toolUse'])['name'] === answerTool;

function readBlock(block: Document, answerTool: string | undefined): readonly ContentPart[] {
  const text = textOf(block['text']);
  if (text !== undefined) return [{ type: 'text', text }];
  if (isDocument(block['reasoningContent'])) return readReasoning(block['reasoningContent']);
  if (isDocument(block['toolUse'])) {
    const use = block['toolUse'];
    const json = JSON.stringify(use['input'] ?? {});
    if (isAnswer(block, answerTool)) return [{ type: 'text', text: json }];
    return [
      { type: 'tool-call', callId: textOf(use['toolUseId']) ?? '', name: textOf(use['name']) ?? '', json },
    ];
  }
  if (isDocument(block['citationsContent'])) return readCited(block['citationsContent']);
  if (isDocument(block['image'])) {
    const bytes = textOf(documentOf(block['image']['source'])['bytes']);
    if (bytes === undefined) return [];
    const mediaType = `image/${textOf(block['image']['format']) ?? 'png'}`;
    return [{ type: 'image', source: { kind: 'base64', base64: bytes, mediaType } }];
  }
  return Object.keys(block).length === 0 || block['text'] === ''
    ? []
    : [{ type: 'vendor', apiFormat: CONVERSE_FORMAT, value: block }];
}

function readReasoning(content: Document): readonly ContentPart[] {
  const redacted = textOf(content['redactedContent']);
  if (redacted !== undefined) {
    return [
      { type: 'reasoning', text: '', isRedacted: true, signature: { by: 'anthropic', data: redacted } },
    ];
  }
  const thought = documentOf(content['reasoningText']);
  const signature = textOf(thought['signature']);
  return [
    {
      type: 'reasoning',
      text: textOf(thought['text']) ?? '',
      ...(signature === undefined ? {} : { signature: { by: 'anthropic', data: signature } }),
    },
  ];
}

/** Text with the places it rests on. */
function readCited(content: Document): readonly ContentPart[] {
  const text = listOf(content['content'])
    .map((item) => textOf(documentOf(item)['text']) ?? '')
    .join('');
  const sources = listOf(content['citations']).map((item): ContentPart => {
    return { type: 'source', source: readCitation(documentOf(item)) };
  });
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...sources];
}

export function readCitation(citation: Document): Source {
  const web = documentOf(documentOf(citation['location'])['web']);
  const url = textOf(web['url']);
  const title = textOf(citation['title']) ?? textOf(web['domain']);
  const quote = listOf(citation['sourceContent'])
    .map((item) => textOf(documentOf(item)['text']) ?? '')
    .join('');
  return {
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(quote === '' ? {} : { quote }),
    vendorOptions: { [CONVERSE_FORMAT]: citation },
  };
}
