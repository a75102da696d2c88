import { describe, expect, it } from '@jest/globals';
import { oneCall } from '../../../../test/support/one-answer.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';
import { writeAnnotation } from './annotations.js';

describe('writeAnnotation', () => {
  it.each([
    [
      'an address',
      { url: 'https://a.example' },
      {
        type: 'url_citation',
        url: 'https://a.example',
        title: 'https://a.example',
        start_index: 0,
        end_index: 9,
      },
    ],
    [
      'an address with a title and a place',
      { url: 'https://a.example', title: 'A', start: 2, end: 4 },
      { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 2, end_index: 4 },
    ],
    [
      'a document',
      { documentId: 'doc:0', title: 'Manual', start: 2, end: 4 },
      { type: 'file_citation', file_id: 'doc:0', filename: 'Manual', index: 4 },
    ],
    [
      'a document without a title',
      { documentId: 'doc:0' },
      { type: 'file_citation', file_id: 'doc:0', filename: 'doc:0', index: 9 },
    ],
    ['neither', { title: 'Manual', quote: 'q' }, undefined],
    ['nothing', {}, undefined],
  ])('writes a source with %s', (_name, source, annotation) => {
    expect(writeAnnotation(source, 9)).toEqual(annotation);
  });
});

const DOCUMENT = { type: 'document', id: 'doc:0', document: { id: 'doc:0', title: 'Manual', text: 'T' } };
const PAGE = { type: 'document', id: 'doc:1', document: { url: 'https://a.example', title: 'A' } };
const citation = (...sources: readonly Json[]): Json => ({ start: 0, end: 2, text: 'Hi', sources });

const whole = (citations: readonly Json[]): Json => ({
  id: 'x',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hi there' }], citations },
  finish_reason: 'COMPLETE',
  usage: { tokens: { input_tokens: 1, output_tokens: 1 } },
});
const streamed = (citations: readonly Json[]): readonly Json[] => [
  { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi there' } } } },
  ...citations.map((one, index) => ({
    type: 'citation-start',
    index,
    delta: { message: { citations: one } },
  })),
  { type: 'content-end', index: 0 },
  {
    type: 'message-end',
    delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 1, output_tokens: 1 } } },
  },
];

describe('documents that a vendor cites, for callers of Responses', () => {
  const cohere = { channelType: 34, upstreamModel: 'command-a', isModelMapped: true };
  const cited: readonly Json[] = [citation(DOCUMENT), citation(PAGE), citation()];

  it.each([
    ['whole', whole(cited)],
    ['streamed', streamed(cited)],
  ])('become files by their ids, and never pages without an address: %s', async (_name, answer) => {
    const { body, events } = await oneCall({ api: 'responses', over: cohere, answer });
    const response = events.length === 0 ? body : object(events.at(-1)?.['response']);
    const [message] = list(response['output']).map(object);
    const [text] = list(message?.['content']).map(object);
    expect(text?.['annotations']).toMatchObject([
      { type: 'file_citation', file_id: 'doc:0', filename: 'Manual' },
      { type: 'url_citation', url: 'https://a.example' },
    ]);
    const added = events.filter(({ type }) => type === 'response.output_text.annotation.added');
    expect(added).toHaveLength(events.length === 0 ? 0 : 2);
  });
});
