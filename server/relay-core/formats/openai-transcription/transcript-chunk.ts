import type { Usage } from '../../model/usage.js';
import { documentOf, isDocument, listOf, textOf } from '../shared/fields/json-fields.js';
import { readUsage } from '../shared/openai/openai-usage.js';

/** A piece of a transcript in the form of chat chunks. */
export interface TranscriptChunk {
  /** Empty = it brought none. */
  readonly text: string;
  /** It has the reason of the transcript's end. */
  readonly isLast: boolean;
  /** Figures, of the last chunk or beside every one; undefined = none. */
  readonly usage: Usage | 'invalid' | undefined;
}

/**
 * vLLM streams transcripts and translations as `{object: "transcription.chunk", choices: [{delta: {content}}]}`:
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#transcriptions-api (read 2026-11-25).
 * @returns undefined for an event of another form
 */
export function readTranscriptChunk(document: unknown): TranscriptChunk | undefined {
  if (!isDocument(document) || !Array.isArray(document['choices'])) return undefined;
  let text = '';
  let isLast = false;
  for (const choice of listOf(document['choices'])) {
    const { delta, finish_reason: reason } = documentOf(choice);
    text += textOf(documentOf(delta)['content']) ?? '';
    isLast ||= typeof reason === 'string' && reason !== '';
  }
  return { text, isLast, usage: readUsage(document['usage']) };
}
