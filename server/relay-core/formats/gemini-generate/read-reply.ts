import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, listOf, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { CallIds } from './call-ids.js';
import { camelled, camelFields } from '../shared/fields/proto-names.js';
import { isFinishWord, readFinishReason } from './finish-reason.js';
import { hasSearched, placesIn, readSources, sourceIn } from './grounding.js';
import { GENERATE_FORMAT } from './id.js';
import { readPart } from './read-part.js';
import { readUsage, withSearch } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a Gemini answer' });

const KNOWN_REPLY_FIELDS: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
]);
const KNOWN_CANDIDATE_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'finishReason',
  'index',
  'logprobsResult',
]);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readGenerateReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED);
  if (!read.ok) return read;
  const document = read.value;
  const reply = camelFields(document);
  const refusal = refusedPrompt(reply['promptFeedback']);
  if (!Array.isArray(reply['candidates']) && refusal === undefined) return fail(MALFORMED);
  const id = textOf(reply['responseId']) ?? '';
  const ids = new CallIds();
  const candidates = listOf(reply['candidates']).map((item) => camelFields(documentOf(item)));
  const usage = readUsage(camelled(reply['usageMetadata']));
  const searched = candidates.some((candidate) => hasSearched(candidate['groundingMetadata']));
  const vendorOptions = keepUnknown(GENERATE_FORMAT, reply, KNOWN_REPLY_FIELDS);
  return ok({
    id,
    servedModel: textOf(reply['modelVersion']) ?? '',
    createdAtSeconds: secondsOf(reply['createTime']),
    choices: (candidates.length === 0 && refusal !== undefined ? [refusal] : candidates)
      .map((candidate, position) => ({ candidate, at: numberOf(candidate['index']) ?? position }))
      .sort((left, right) => left.at - right.at)
      .map(({ candidate }) => readCandidate(candidate, () => ids.next(id))),
    usage: usage === 'invalid' || usage === undefined ? undefined : withSearch(usage, searched),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** The answer a refused prompt gets: none, for that reason. Undefined = it was not refused. */
export function refusedPrompt(feedback: unknown): Document | undefined {
  const reason = textOf(camelFields(documentOf(feedback))['blockReason']);
  if (reason === undefined || reason === 'BLOCK_REASON_UNSPECIFIED') return undefined;
  return { finishReason: isFinishWord(reason) ? reason : 'SAFETY' };
}

function readCandidate(candidate: Document, idOf: () => string): ChatChoice {
  const content: ContentPart[] = [];
  for (const item of listOf(documentOf(candidate['content'])['parts'])) {
    const part = readPart(documentOf(item), idOf);
    if (!isNothing(part)) addPart(content, part);
  }
  cite(content, candidate['groundingMetadata']);
  const reason = textOf(candidate['finishReason']);
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  const logprobs = candidate['logprobsResult'];
  const vendorOptions = keepUnknown(GENERATE_FORMAT, candidate, KNOWN_CANDIDATE_FIELDS);
  return {
    content,
    finish: reason === undefined ? undefined : readFinishReason(reason, hasCalls),
    ...(logprobs === null || logprobs === undefined ? {} : { logprobs: readLogprobs(logprobs) }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  };
}

/** Streams bring a text in as many parts as they like, so neighbours are one text: what they are together is the same. */
function addPart(content: ContentPart[], part: ContentPart): void {
  const last = content.at(-1);
  const joins =
    (part.type === 'text' || part.type === 'reasoning') &&
    last?.type === part.type &&
    last.signature === undefined &&
    last.vendorOptions === undefined &&
    part.vendorOptions === undefined;
  if (joins) content[content.length - 1] = { ...part, text: last.text + part.text };
  else content.push(part);
}

/** Sources stand behind the last text; their places are counted in all texts together. */
function cite(content: ContentPart[], metadata: unknown): void {
  const at = content.findLastIndex(({ type }) => type === 'text');
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const sources = readSources(metadata, placesIn(texts.join('')));
  const offset = texts.slice(0, Math.max(at, 0)).join('').length;
  const parts = sources.map((source): ContentPart => ({ type: 'source', source: sourceIn(source, offset) }));
  content.splice(at + 1, 0, ...parts);
}

/** An empty text that proves nothing: how streams and replies of this vendor end. */
const isNothing = (part: ContentPart): boolean =>
  part.type === 'text' &&
  part.text === '' &&
  part.signature === undefined &&
  part.vendorOptions === undefined;

/** Token probabilities in the form the neutral model carries them: OpenAI's. */
export function readLogprobs(value: unknown): unknown {
  const result = camelFields(documentOf(value));
  const top = listOf(result['topCandidates']);
  const content = listOf(result['chosenCandidates']).map((item, index) => {
    const alternatives = listOf(camelFields(documentOf(top[index]))['candidates']);
    return { ...readToken(item), top_logprobs: alternatives.map(readToken) };
  });
  return { content, refusal: null };
}

function readToken(item: unknown): Record<string, unknown> {
  const token = camelFields(documentOf(item));
  const text = typeof token['token'] === 'string' ? token['token'] : '';
  return { token: text, logprob: numberOf(token['logProbability']) ?? 0, bytes: [...Buffer.from(text)] };
}

export function secondsOf(time: unknown): number | undefined {
  const text = textOf(time);
  const milliseconds = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
