import type { ContentPart } from '../model/content.js';
import type { Operation } from '../model/operation.js';
import type { NeutralRequest } from '../wire/wire.js';

type Readers = { readonly [O in Operation]: (request: NeutralRequest<O>) => Iterable<string> };

/** The words a caller wrote, by operation. */
const READERS: Readers = {
  *chat({ messages }) {
    for (const { content } of messages) for (const part of content) yield textOf(part);
  },
  *embed({ inputs }) {
    for (const input of inputs) if (typeof input === 'string') yield input;
  },
  image: ({ prompt }) => [prompt],
  speak: ({ text, instructions }) => (instructions === undefined ? [text] : [text, instructions]),
  transcribe: ({ prompt }) => (prompt === undefined ? [] : [prompt]),
  moderate: () => [],
  rerank: ({ query, documents }) => [query, ...documents],
};

/** Every text of a request that is searched for words nobody may send. What is sent to be judged is not. */
export function promptTexts<O extends Operation>(operation: O, request: NeutralRequest<O>): Iterable<string> {
  const read: (request: NeutralRequest<O>) => Iterable<string> = READERS[operation];
  return read(request);
}

function textOf(part: ContentPart): string {
  if (part.type === 'tool-call') return part.json;
  return 'text' in part ? part.text : '';
}
