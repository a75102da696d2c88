import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../test/support/least-cpu.js';
import { MAX_FRAME_TEXT_BYTES, RealtimeFrame } from './realtime-frame.js';

const read = (text: string): RealtimeFrame => RealtimeFrame.read(Buffer.from(text), true);
const nested = (levels: number, [open, close] = ['[', ']']): string =>
  `{"type":"x","a":${open.repeat(levels)}0${close.repeat(levels)}}`;
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')}}`;

/** CPU time of a loop over 15 MB, measured once: the machine does not change between two frames. */
const loopMs = ((): (() => number) => {
  let known: number | undefined;
  return () => {
    const bytes = Buffer.alloc(15_000_000);
    return (known ??= leastCpuMs(() => void bytes.reduce((sum, byte) => sum + byte, 0)));
  };
})();

describe('a frame has the limits of a body', () => {
  it.each([
    ['6,000 brackets', nested(6_000), 'too-deep'],
    ['6,000 brackets that never close', '['.repeat(6_000), 'too-deep'],
    ['6,000 objects in each other', nested(6_000, ['{"a":', '}']), 'too-deep'],
    ['65 levels', nested(64), 'too-deep'],
    ['10,001 members', members(10_001), 'too-many-keys'],
    ['100,001 values', `[${'0,'.repeat(100_000)}0]`, 'too-many-values'],
    ['100,001 empty objects', `[${'{},'.repeat(100_000)}{}]`, 'too-many-values'],
    ['a novel', JSON.stringify({ text: 'a'.repeat(MAX_FRAME_TEXT_BYTES) }), 'too-much-text'],
    ['blanks', `{"type":"x"${' '.repeat(MAX_FRAME_TEXT_BYTES)}}`, 'too-much-text'],
    ['a long number', `{"a":${'1'.repeat(MAX_FRAME_TEXT_BYTES)}}`, 'too-much-text'],
    ['a long name', `{"${'a'.repeat(MAX_FRAME_TEXT_BYTES)}":1}`, 'too-much-text'],
    ['what is no JSON', 'x'.repeat(MAX_FRAME_TEXT_BYTES + 1), 'too-much-text'],
    [
      'text as a piece of an answer',
      JSON.stringify({ type: 'response.text.delta', delta: 'a'.repeat(MAX_FRAME_TEXT_BYTES) }),
      'too-much-text',
    ],
  ])('%s is refused', (_name, text, fault) => {
    expect(read(text).fault).toBe(fault);
  });

  it.each([
    ['63 levels', nested(63)],
    ['10,000 members', members(10_000)],
    ['15 MB of sound', JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(15_000_000) })],
    [
      '15 MB of sound in an item',
      JSON.stringify({ item: { content: [{ type: 'input_audio', audio: 'A'.repeat(15_000_000) }] } }),
    ],
    [
      '5 MB of a picture',
      JSON.stringify({
        item: { content: [{ image_url: `data:image/png;base64,${'A'.repeat(5_000_000)}` }] },
      }),
    ],
    [
      '15 MB of speech',
      JSON.stringify({ delta: 'A'.repeat(15_000_000), type: 'response.output_audio.delta' }),
    ],
  ])('%s is read, in less than 50 ms or half the time of a loop over 15 MB', (_name, text) => {
    const bytes = Buffer.from(text);
    const readAll = (): RealtimeFrame => {
      const frame = RealtimeFrame.read(bytes, true);
      if (!frame.isSpoken) void [frame.members, frame.texts];
      return frame;
    };
    const frame = readAll();
    expect(frame.fault).toBeUndefined();
    expect(frame.isReadable).toBe(true);
    expect(leastCpuMs(readAll)).toBeLessThan(Math.max(50, loopMs() / 2));
  });

  it('names and words with escapes are what a reader makes of them', () => {
    const sound = 'A'.repeat(64);
    const frame = read(
      `{"ty\\u0070e":"input_audio_buffer.\\u0061ppend","\\u0061udio":"${sound}","response_\\u0069d":"r"}`,
    );
    expect(frame).toMatchObject({ type: 'input_audio_buffer.append', audioLength: 64, responseId: 'r' });
  });

  const SOUND = 'A'.repeat(64);
  const PICTURE = `data:image/png;base64,${SOUND}`;
  const item = (...content: object[]): string =>
    JSON.stringify({ type: 'conversation.item.create', item: { content } });

  it('returns every text except audio and images in their places, those of repeated members too', () => {
    expect(read('{"a":"\\u0062omb","a":"peace"}').texts).toEqual(['bomb', 'peace']);
    const parts = item({ type: 'input_audio', audio: SOUND }, { type: 'input_image', image_url: PICTURE });
    expect(read(parts).texts).toEqual(['conversation.item.create', 'input_audio', 'input_image']);
  });

  it.each([
    ['of a text', item({ type: 'input_text', text: 'x', audio: SOUND })],
    ['of a text, named before its kind', item({ audio: SOUND, type: 'input_text' })],
    ['that is words', item({ type: 'input_audio', audio: `${SOUND} ` })],
    ['too short for sound', item({ type: 'input_audio', audio: SOUND.slice(1) })],
    ['of another event', JSON.stringify({ audio: SOUND, type: 'response.create' })],
    ['of a variable', JSON.stringify({ type: 'x', session: { prompt: { variables: { audio: SOUND } } } })],
    ['of a schema', JSON.stringify({ type: 'x', session: { tools: [{ content: [{ audio: SOUND }] }] } })],
  ])('shows the text in an audio member %s, which is not heard', (_name, event) => {
    const frame = read(event);
    expect(frame.texts.some((text) => text.trim().length >= 63)).toBe(true);
    expect(frame.audioLength).toBe(0);
  });

  it.each([
    ['plain text', 'data:text/plain,a%20bomb'],
    ['base64', `data:text/plain;base64,${Buffer.from('a bomb').toString('base64')}`],
    ['a drawing', `data:image/svg+xml;base64,${Buffer.from('<text>a bomb</text>').toString('base64')}`],
    ['a picture that is words', 'data:image/png;base64,a bomb'],
  ])('shows the text in a data address: %s', (_name, address) => {
    const { texts } = read(item({ type: 'input_image', image_url: address }));
    expect(texts.some((text) => text.includes('a bomb'))).toBe(true);
  });

  it('shows the parts of an item as one text too, and the names of a schema', () => {
    const parts = item({ type: 'input_text', text: 'bo' }, { type: 'input_text', text: 'mb' });
    expect(read(parts).texts).toContain('bomb');
    const schema = { type: 'x', session: { tools: [{ parameters: { properties: { bomb: {} } } }] } };
    expect(read(JSON.stringify(schema)).texts).toContain('bomb');
  });

  it.each([
    ['{"type":"x","type":"response.create"}', true],
    ['{"session":{"audio":{"input":{"transcription":{"model":"a","mod\\u0065l":"b"}}}}}', true],
    ['{"response":{"max_output_tokens":1},"type":"x","response":{}}', true],
    ['{"type":"x","item":{"type":"message"},"item":{}}', true],
    ['{"item":{"content":[{"type":"input_text","text":"long","text":"a"}]}}', true],
    ['{"session":{"instructions":"long","instructions":"a"}}', true],
    ['{"session":{"input_audio_format":"g711_ulaw","input_audio_format":"pcm16"}}', true],
    ['{"type":"x","session":{"type":"realtime","tools":[{"type":"a"},{"type":"b"}]}}', false],
    ['{"a":1,"a":2}', false],
  ])('notices a member that decides on money and is written twice: %s', (text, isAmbiguous) => {
    expect(read(text).isAmbiguous).toBe(isAmbiguous);
  });

  it('empties audio and images in its members, and keeps everything else', () => {
    const text = `{"item":{"content":[{"audio":"${SOUND}","n":1},{"image_url":"${PICTURE}"},{"text":"x"}]},"delta":"d"}`;
    expect(read(text).members).toEqual({
      item: { content: [{ audio: '', n: 1 }, { image_url: '' }, { text: 'x' }] },
      delta: 'd',
    });
  });

  it.each(['', 'null', '[]', '"x"', '{"type":"x"', '{"type":"x",}', '{} {}', '\u0000'])(
    'finds no members in anything but a JSON object: %j',
    (text) => {
      const frame = read(text);
      expect(frame).toMatchObject({ fault: undefined, type: '', responseId: '', members: {} });
    },
  );
});
