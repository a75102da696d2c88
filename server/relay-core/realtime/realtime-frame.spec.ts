import { describe, expect, it } from '@jest/globals';
import { MAX_FRAME_TEXT_BYTES, RealtimeFrame } from './realtime-frame.js';

const read = (text: string): RealtimeFrame => RealtimeFrame.read(Buffer.from(text), true);
const nested = (levels: number, [open, close] = ['[', ']']): string =>
  `{"type":"x","a":${open.repeat(levels)}0${close.repeat(levels)}}`;
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')}}`;

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
  ])('%s is read, in less than 50 ms', (_name, text) => {
    const bytes = Buffer.from(text);
    const before = process.cpuUsage();
    const frame = RealtimeFrame.read(bytes, true);
    if (!frame.isSpoken) void [frame.members, frame.texts];
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(50);
    expect(frame.fault).toBeUndefined();
    expect(frame.isReadable).toBe(true);
  });

  it('names and words with escapes are what a reader makes of them', () => {
    const frame = read('{"ty\\u0070e":"response.cre\\u0061te","\\u0061udio":"AAAA","response_\\u0069d":"r"}');
    expect(frame).toMatchObject({ type: 'response.create', audioLength: 4, responseId: 'r' });
  });

  it('every text is shown but sounds and pictures, those of repeated members too', () => {
    const text = '{"a":"\\u0062omb","a":"peace","b":[{"text":"deep","audio":"AAAA"},{"image_url":"data:x"}]}';
    expect(read(text).texts).toEqual(['bomb', 'peace', 'deep']);
  });

  it('sounds and pictures are empty in its members, everything else is there', () => {
    const text =
      '{"item":{"content":[{"audio":"AAAA","n":1},{"image_url":"data:AA"},{"text":"x"}]},"delta":"d"}';
    expect(read(text).members).toEqual({
      item: { content: [{ audio: '', n: 1 }, { image_url: '' }, { text: 'x' }] },
      delta: 'd',
    });
  });

  it.each(['', 'null', '[]', '"x"', '{"type":"x"', '{"type":"x",}', '{} {}', '\u0000'])(
    'finds no members in what is no object or no JSON: %j',
    (text) => {
      const frame = read(text);
      expect(frame).toMatchObject({ fault: undefined, type: '', responseId: '', members: {} });
    },
  );
});
