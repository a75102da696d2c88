import { describe, expect, it } from '@jest/globals';
import { answerTextOf } from './probe-call.js';

type Reply = Parameters<typeof answerTextOf>[0];
const reply = (text: string, contentType = 'application/json') =>
  ({ contentType, sizeBytes: text.length, text }) as Reply;
const whole = (document: unknown) => answerTextOf(reply(JSON.stringify(document)), false);
const streamed = (...frames: readonly unknown[]) =>
  answerTextOf(reply(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')), true);

describe('answerTextOf', () => {
  it.each([
    [{ choices: [{ message: { content: 'hi' } }] }],
    [{ choices: [{ text: 'hi' }] }],
    [{ text: 'hi' }],
    [{ content: [{ type: 'text', text: 'hi' }] }],
    [{ candidates: [{ content: { parts: [{ text: 'h' }, { text: 'i' }] } }] }],
    [{ output: [{ content: [{ type: 'output_text', text: 'hi' }] }] }],
  ])('reads the text of %j', (document) => {
    expect(whole(document)).toBe('hi');
  });

  it('counts answers without text', () => {
    expect(whole({ data: [{ embedding: [1] }] })).toBe('1 × embedding');
    expect(whole({ data: [{ url: 'u' }, { url: 'v' }] })).toBe('2 × image');
    expect(whole({ results: [{}, {}, {}] })).toBe('3 × result');
    expect(answerTextOf(reply('abc', 'audio/mpeg; x=1'), false)).toBe('audio/mpeg, 3 bytes');
  });

  it.each([
    [{ choices: [{ delta: { content: 'h' } }] }, { choices: [{ delta: { content: 'i' } }] }],
    [
      { type: 'content_block_delta', delta: { text: 'h' } },
      { type: 'content_block_delta', delta: { text: 'i' } },
    ],
    [
      { type: 'response.output_text.delta', delta: 'h' },
      { type: 'response.output_text.delta', delta: 'i' },
    ],
  ])('joins the text of a stream: %j', (...frames) => {
    expect(streamed(...frames)).toBe('hi');
  });

  it('shows nothing of an unreadable answer', () => {
    expect(answerTextOf(reply('<html>'), false)).toBe('');
    expect(answerTextOf(reply('data: {broken\n\ndata: [DONE]\n\n'), true)).toBe('');
    expect(whole({ choices: [{ message: { content: 5 } }] })).toBe('');
  });
});
