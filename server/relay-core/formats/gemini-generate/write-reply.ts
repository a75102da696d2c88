import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { shownFinish } from '../../model/finish-reason.js';
import { documentOf, listOf, numberOf } from '../shared/fields/json-fields.js';
import type { ReplyContext } from '../contract/api-format.js';
import { writeFinishReason } from './finish-reason.js';
import { GroundedText } from './grounded-text.js';
import { GENERATE_FORMAT } from './id.js';
import { writeUsage } from './usage.js';
import { partAsSent, signatureOf, writeCall, writeMedia, writeText } from './write-part.js';

/** Neutral reply → generateContent reply. */
export function writeGenerateReply(reply: ChatReply, context: ReplyContext): Buffer {
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[GENERATE_FORMAT],
      candidates: reply.choices.map(writeCandidate),
      ...(reply.usage === undefined ? {} : { usageMetadata: writeUsage(reply.usage) }),
      modelVersion: reply.servedModel === '' ? context.model : reply.servedModel,
      responseId: reply.id === '' ? context.callId : reply.id,
    }),
  );
}

function writeCandidate(choice: ChatChoice, index: number): Record<string, unknown> {
  const parts: Record<string, unknown>[] = [];
  const text = new GroundedText();
  let block = -1;
  for (const [at, part] of choice.content.entries()) {
    if (part.type === 'source') text.cite(block, part.source);
    else {
      const written = writeReplyPart(part);
      if (written !== undefined) parts.push(written);
      if (part.type === 'text') text.grow((block = at), part.text);
    }
  }
  const groundingMetadata = text.write();
  const own = choice.vendorOptions?.[GENERATE_FORMAT];
  const finish = shownFinish(choice);
  return {
    ...(groundingMetadata === undefined ? {} : { groundingMetadata }),
    ...own,
    content: { role: 'model', parts },
    finishReason: finish === undefined ? 'STOP' : writeFinishReason(finish),
    index,
    ...writeLogprobs(choice.logprobs),
  };
}

/** Undefined = a piece this format has no words for. */
function writeReplyPart(part: Exclude<ContentPart, { type: 'source' }>): Record<string, unknown> | undefined {
  const sent = partAsSent(part);
  if (sent !== undefined) return sent;
  switch (part.type) {
    case 'text':
    case 'refusal':
      return writeText(part.text, false, signatureOf(part.signature));
    case 'reasoning':
      return writeText(part.text, true, signatureOf(part.signature, part.isRedacted, part.text));
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part);
    case 'tool-call':
      return writeOwnCall(part);
    case 'vendor':
      return undefined;
  }
}

/** Clients of this format get the id of every call, made by us or not: it is how they answer several at once. */
export function writeOwnCall(part: Extract<ContentPart, { type: 'tool-call' }>): Record<string, unknown> {
  const written = writeCall(part, signatureOf(part.signature), true);
  const id = part.callId === '' ? {} : { id: part.callId };
  return { ...written, functionCall: { ...id, ...documentOf(written['functionCall']) } };
}

/** OpenAI's form of token probabilities in this format's words; other forms are left out. */
export function writeLogprobs(logprobs: unknown): Record<string, unknown> {
  const tokens = listOf(documentOf(logprobs)['content']).map(documentOf);
  if (tokens.length === 0) return {};
  const write = (item: unknown): Record<string, unknown> => {
    const token = documentOf(item);
    return { token: token['token'], logProbability: numberOf(token['logprob']) ?? 0 };
  };
  return {
    logprobsResult: {
      topCandidates: tokens.map((token) => ({ candidates: listOf(token['top_logprobs']).map(write) })),
      chosenCandidates: tokens.map(write),
    },
  };
}
