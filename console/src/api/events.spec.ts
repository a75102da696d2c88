import { describe, expect, it } from '@jest/globals';
import { readEvents } from './events';

const bytesOf = (...parts: (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts)
        controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
      controller.close();
    },
  });
const all = async (stream: ReadableStream<Uint8Array>): Promise<string[]> => {
  const events: string[] = [];
  for await (const data of readEvents(stream)) events.push(data);
  return events;
};

describe('events of a stream', () => {
  it('reads the same however the bytes are cut, also through a letter', async () => {
    const text = 'data: {"a":"汉字🙂"}\n\n: ping\n\ndata: two\r\n\r\nevent: x\ndata: three\ndata: lines\n\n';
    const expected = ['{"a":"汉字🙂"}', 'two', 'three\nlines'];
    expect(await all(bytesOf(text))).toEqual(expected);
    const bytes = new TextEncoder().encode(text);
    expect(await all(bytesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(expected);
  });

  it('ends them with the stream, the last empty line or not', async () => {
    expect(await all(bytesOf('data: one\n\ndata: [DONE]'))).toEqual(['one', '[DONE]']);
    expect(await all(bytesOf())).toEqual([]);
  });

  it('closes the stream after the last listener unsubscribes', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => void (isCancelled = true),
    });
    for await (const _ of readEvents(endless)) break;
    expect(isCancelled).toBe(true);
  });
});
