import { list, object, text, type Json } from '../strict-vendors/story.js';

/** https://ai.google.dev/api/generate-content, read 2026-11-25: the protocol's enums, and what its fields hold. */
const FINISH_REASONS = new Set([
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'NO_IMAGE',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_OTHER',
  'IMAGE_RECITATION',
  'MISSING_THOUGHT_SIGNATURE',
  'MODEL_ARMOR',
  'MALFORMED_RESPONSE',
]);
const MODALITIES = new Set(['TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT']);
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  reply: [
    'candidates',
    'promptFeedback',
    'usageMetadata',
    'modelVersion',
    'responseId',
    'modelStatus',
    'createTime',
  ],
  candidate: [
    'content',
    'finishReason',
    'safetyRatings',
    'citationMetadata',
    'tokenCount',
    'groundingAttributions',
    'groundingMetadata',
    'avgLogprobs',
    'logprobsResult',
    'urlContextMetadata',
    'index',
    'finishMessage',
  ],
  part: [
    'thought',
    'thoughtSignature',
    'partMetadata',
    'mediaResolution',
    'text',
    'inlineData',
    'functionCall',
    'functionResponse',
    'fileData',
    'executableCode',
    'codeExecutionResult',
    'videoMetadata',
  ],
  call: ['id', 'name', 'args', 'partialArgs', 'willContinue'],
};
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Faults of a whole answer of Gemini's API, or of one document of a stream. */
export function geminiFaults(reply: Json): readonly string[] {
  const faults: string[] = [];
  const only = (value: Json, kind: string, place: string): void => {
    for (const name of Object.keys(value))
      if (MEMBERS[kind]?.includes(name) !== true) faults.push(`${place}.${name} is unknown`);
  };
  const bytes = (value: unknown, place: string): void => {
    if (value !== undefined && (typeof value !== 'string' || !BASE64.test(value)))
      faults.push(`${place}: ${JSON.stringify(value)} is no base64`);
  };
  only(reply, 'reply', 'reply');
  for (const name of ['modelVersion', 'responseId'])
    if (text(reply[name]) === '') faults.push(`${name} is missing`);
  for (const [at, candidate] of list(reply['candidates']).entries()) {
    const place = `candidates[${at}]`;
    only(candidate, 'candidate', place);
    const { finishReason, index, content } = candidate;
    if (finishReason !== undefined && !FINISH_REASONS.has(text(finishReason)))
      faults.push(`${place}.finishReason: ${JSON.stringify(finishReason)} is none of Google's words`);
    if (!Number.isInteger(index)) faults.push(`${place}.index is missing`);
    if (object(content)['role'] !== 'model') faults.push(`${place}.content.role is not model`);
    for (const [number, part] of list(object(content)['parts']).entries()) {
      const where = `${place}.content.parts[${number}]`;
      only(part, 'part', where);
      bytes(part['thoughtSignature'], `${where}.thoughtSignature`);
      if (part['inlineData'] !== undefined)
        bytes(object(part['inlineData'])['data'], `${where}.inlineData.data`);
      if (part['thought'] !== undefined && typeof part['thought'] !== 'boolean')
        faults.push(`${where}.thought`);
      if (part['text'] !== undefined && typeof part['text'] !== 'string') faults.push(`${where}.text`);
      if (part['functionCall'] === undefined) continue;
      const call = object(part['functionCall']);
      only(call, 'call', `${where}.functionCall`);
      if (text(call['name']) === '') faults.push(`${where}.functionCall.name is missing`);
      if (typeof call['args'] !== 'object' || call['args'] === null || Array.isArray(call['args']))
        faults.push(`${where}.functionCall.args is no object`);
    }
  }
  faults.push(...usageFaults(object(reply['usageMetadata'])));
  return faults;
}

function usageFaults(usage: Json): readonly string[] {
  return Object.entries(usage).flatMap(([name, value]) => {
    if (name.endsWith('TokenCount')) return isCount(value) ? [] : [`usageMetadata.${name} is no count`];
    if (!name.endsWith('TokensDetails'))
      return name === 'trafficType' || name === 'serviceTier' ? [] : [`usageMetadata.${name} is unknown`];
    return list(value).flatMap(({ modality, tokenCount }) =>
      MODALITIES.has(text(modality)) && isCount(tokenCount)
        ? []
        : [`usageMetadata.${name}: ${text(modality)}`],
    );
  });
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
