import type { ChatRequest } from '../../model/chat.js';
import type { Operation } from '../../model/operation.js';
import type { Usage } from '../../model/usage.js';
import type { WorstCase } from '../../ports/price-book.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import { AudioLength } from '../../formats/shared/audio/audio-length.js';
import { TOKENS_PER_AUDIO } from '../../formats/shared/requests/estimate-prompt.js';
import type { ReplyRecord } from '../context/attempt.js';
import type { ClientCall } from '../context/call-types.js';
import { hidesCost } from './hidden-cost.js';
import type { Measure } from './measure-reply.js';

/** Base64 holds three bytes in four characters, and a token of text has four bytes: no vendor seals a token in less. */
const SEALED_BYTES_PER_TOKEN = 16 / 3;
/** Fewer than any text has, so that shown reasoning is subtracted in full. */
const SHOWN_BYTES_PER_TOKEN = 3;
/** Tokens for a second of sound in the request, at the vendor that counts least. */
const TOKENS_PER_HEARD_SECOND = 10;

/** A reply that was cut, and its request. */
interface CutReply {
  readonly meter: ReplyMeter;
  readonly clientCall: Pick<ClientCall<Operation>, 'parsed'>;
  readonly upstreamModel: string;
  readonly worstCase: Pick<WorstCase, 'outputCap' | 'modelOutputCap' | 'choices'>;
}

/** Finds the replies that were cut before their report, by the client or by us, and may cost more than what came of them shows. */
export function mustEstimate(
  { outcome, isWhole, firstContentMs }: Pick<ReplyRecord, 'outcome' | 'isWhole' | 'firstContentMs'>,
  { evidence }: Measure,
  cut: CutReply,
): boolean {
  const isCut = (outcome === 'client_abort' || outcome === 'limit') && !isWhole;
  return isCut && evidence === 'counted' && firstContentMs !== undefined && hidesCost(cut);
}

/**
 * The measure of a cut reply with what did not pass: reasoning by the bytes of its signatures and encrypted blocks, a kept conversation
 * by what the vendor last read of it, sound by its seconds. Each is taken for as little as any vendor counts: the estimate stays below
 * the report that did not come.
 * @param keptTokens  of the conversation the request goes on with; 0 = it names none, or none is known
 */
export function estimateCut(measure: Measure, cut: CutReply, keptTokens: number): Measure {
  const { usage } = measure;
  return {
    usage: { ...usage, input: inputOf(usage, cut, keptTokens), output: outputOf(usage, cut) },
    evidence: 'estimated',
    note: [measure.note, ESTIMATED].filter((text) => text !== '').join('; '),
  };
}

const ESTIMATED = 'what did not pass is estimated';

function inputOf({ input }: Usage, { meter, clientCall }: CutReply, keptTokens: number): Usage['input'] {
  const isReported = (meter.usage?.input.total ?? 0) > 0;
  if (isReported) return input;
  const heard = heardTokens(clientCall);
  // The prompt was taken for a usual length of each sound.
  const more = heard.reduce((sum, tokens) => sum + Math.max(0, tokens - TOKENS_PER_AUDIO), 0);
  return { ...input, total: (input.total ?? 0) + keptTokens + more };
}

function outputOf({ output }: Usage, { meter, worstCase }: CutReply): Usage['output'] {
  const { sealedBytes, shownReasoningBytes } = meter.produced;
  const sealed = Math.floor(sealedBytes / SEALED_BYTES_PER_TOKEN);
  const hidden = sealed - Math.ceil(shownReasoningBytes / SHOWN_BYTES_PER_TOKEN);
  // A vendor that counts thoughts as they come has reported them.
  const isReported = (meter.usage?.output.reasoning ?? 0) > 0;
  const total = output.total ?? 0;
  const added = isReported ? 0 : Math.min(hidden, mostOutput(worstCase) - total);
  return added <= 0
    ? output
    : { ...output, total: total + added, reasoning: (output.reasoning ?? 0) + added };
}

function mostOutput({ outputCap, modelOutputCap, choices }: CutReply['worstCase']): number {
  const most = Number.POSITIVE_INFINITY;
  return Math.min(outputCap ?? most, modelOutputCap ?? most) * choices;
}

/** Tokens of each sound that a chat is given as bytes. */
function heardTokens({ parsed }: CutReply['clientCall']): readonly number[] {
  if (parsed.shape.operation !== 'chat') return [];
  const request = parsed.neutral();
  if (!request.ok || !isChat(request.value)) return [];
  return request.value.messages.flatMap(({ content }) =>
    content.map((part) =>
      part.type === 'audio' && part.source.kind === 'base64' ? tokensOf(part.source.base64) : 0,
    ),
  );
}

const isChat = (request: object): request is ChatRequest => 'messages' in request;

function tokensOf(base64: string): number {
  const length = new AudioLength(undefined);
  length.push(Buffer.from(base64, 'base64'));
  return Math.floor((length.seconds() ?? 0) * TOKENS_PER_HEARD_SECOND);
}
