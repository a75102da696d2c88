import { ok, type Result } from '../../../common/result.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import type { CallShape } from '../../model/call.js';
import type { ModerationReply, ModerationRequest } from '../../model/ranking.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { documentOf, listOf, textOf } from '../shared/fields/json-fields.js';
import { ReplyMeter, type WholeVerdict } from '../contract/reply-meter.js';
import { invalidRequest, readModelHead } from '../shared/fields/request-fields.js';
import { spliceBody } from '../shared/requests/splice-body.js';
import { readTokenUsage } from '../shared/metering/reported-usage.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { parseSpan } from '../shared/metering/json-event-meter.js';

/** Key of this format in vendor options and registries. */
export const MODERATION_FORMAT = 'openai-moderation';

const MALFORMED = refusal('no-judgement');

/** The vendor's own default (https://platform.openai.com/docs/api-reference/moderations/create, read 2026-11-25). */
const DEFAULT_MODEL = 'omni-moderation-latest';
const KNOWN_FIELDS: ReadonlySet<string> = new Set(['model', 'input']);
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
/** OpenAI's moderation grammar: https://platform.openai.com/docs/api-reference/moderations (read 2026-11-21). */
export const openaiModeration: ApiFormat<'moderate'> = {
  id: MODERATION_FORMAT,
  replyType: 'application/json',
  parseCall,
  spliceRequest: spliceBody,
  writeRequest,
  openMeter: (call) => new ModerationMeter(call.shape),
  readReply,
  writeReply: (reply, context) =>
    Buffer.from(
      JSON.stringify({
        id: reply.id === '' ? `modr-${context.callId}` : reply.id,
        model: reply.servedModel === '' ? context.model : reply.servedModel,
        results: reply.results,
      }),
    ),
};

function parseCall(body: Buffer, target: CallTarget): Result<ParsedCall<'moderate'>, RelayError> {
  const head = readModelHead(body, target.pathModel, DEFAULT_MODEL);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const input = document.members.get('input');
  const first = input === undefined ? undefined : document.bytes[input.start];
  if (input === undefined || (first !== QUOTE && first !== OPEN_ARRAY) || input.end - input.start <= 2)
    return invalidRequest("Missing required parameter: 'input', a text or a list.", 'input');
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'moderate',
    model,
    promptTokens: estimateFields(document, { inputs: ['input'] }),
    heldOutput: { tokens: 0, kind: 'text' },
  };
  return ok(new JsonCall<'moderate'>(shape, document, (whole) => ok(readRequest(whole))));
}

function readRequest(body: unknown): ModerationRequest {
  const document = documentOf(body);
  const { input } = document;
  const items = typeof input === 'string' ? [input] : listOf(input);
  const rest: Record<string, unknown> = {
    ...keepUnknown(MODERATION_FORMAT, document, KNOWN_FIELDS)?.[MODERATION_FORMAT],
    // Images and the form of the list are specific to this format.
    ...(items.every((item) => typeof item === 'string') && typeof input !== 'string' ? {} : { input }),
  };
  return {
    inputs: items.flatMap((item) => textOf(item) ?? textOf(documentOf(item)['text']) ?? []),
    ...(Object.keys(rest).length === 0 ? {} : { vendorOptions: { [MODERATION_FORMAT]: rest } }),
  };
}

function writeRequest(request: ModerationRequest, edits: RequestEdits): WrittenRequest {
  const own = formatOptions(request, MODERATION_FORMAT);
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, MODERATION_FORMAT, warnings);
  return writtenBody(edits, { input: request.inputs, ...own, model: edits.upstreamModel }, warnings);
}

function readReply(body: Buffer): Result<ModerationReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => Array.isArray(document['results']), JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    results: listOf(document['results']),
    usage: undefined,
  });
}

/** Judgements are priced by what was judged; hardly any vendor counts it. */
class ModerationMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();

  constructor(private readonly shape: CallShape) {
    super();
  }

  override ownCount(): Usage {
    return { input: { total: this.shape.promptTokens }, output: { total: 0 } };
  }

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    cursor.reset(body, 0, body.length);
    if (!cursor.enterObject()) return 'malformed';
    let hasResults = false;
    let hasError = false;
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      const first = cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'results') hasResults = first === OPEN_ARRAY && cursor.at - from > 2;
      else if (name === 'error') hasError = first !== 0x6e;
      else if (name === 'usage') this.report(body, from, cursor.at);
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (hasError) return this.failedWith(parseSpan(body, 0, body.length));
    this.hasFinish = hasResults;
    return hasResults ? 'answer' : 'empty';
  }

  private report(body: Buffer, from: number, to: number): void {
    const usage = readTokenUsage(parseSpan(body, from, to));
    if (usage === 'invalid') this.usageIsInvalid = true;
    else if (usage !== undefined && (usage.input.total ?? 0) > 0) this.usage = usage;
  }
}
