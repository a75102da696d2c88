import { afterEach, describe, expect, it } from '@jest/globals';
import { REPEATED_EVENTS, RepeatedEvent } from './json-event-meter.js';
import { ChoicesMeter } from '../openai/openai-choices-meter.js';

/** Shapes of events, as vendors write them; `text` is JSON already. */
const SHAPES: readonly ((text: string, number: number) => string)[] = [
  (text) => `{"id":"x","choices":[{"index":0,"delta":{"content":${text}},"finish_reason":null}]}`,
  (text) => `{"id":"x","choices":[{"index":1,"delta":{"content":${text}},"finish_reason":null}]}`,
  (text) => `{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":${text}}}]}`,
  (text) => `{"id":"x","choices":[{"index":0,"delta":{"reasoning_content":${text},"content":""}}]}`,
  (text) =>
    `{"id":"x","choices":[{"index":0,"delta":{"reasoning":${text},"reasoning_details":[{"text":${text}}]}}]}`,
  (text) => `{"id":"x","choices":[{"delta":{"content":[{"type":"text","text":${text}}]}}]}`,
  (text) => `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":${text}}}]}}]}`,
  (text) => `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":${text}}}]}}]}`,
  (text) => `{"choices":[{"delta":{"content":${text}},"finish_reason":"stop"}]}`,
  (text) => `{"choices":[{"delta":{"content":${text}}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
  (text, number) => `{"choices":[{"delta":{"content":${text}}}],"obfuscation":"${'x'.repeat(number % 9)}"}`,
  (text) => `{"choices":[{"delta":{"audio":{"transcript":${text}}}}]}`,
  (text) => `{"choices":[],"error":{"message":${text}}}`,
  (text) => `{"choices":[{"delta":{"content":${text}}]}`,
  (text) => `{"choices":[{"text":${text}}]}`,
];
const TEXTS = [
  '',
  'a',
  ' the',
  'two words',
  '漢字',
  '🙂',
  'a "quote"',
  'back\\slash',
  'line\n',
  '\u0001',
  '}]}',
  ',',
];

afterEach(() => {
  REPEATED_EVENTS.areRecognised = true;
});

describe('RepeatedEvent', () => {
  it.each([true, false])(
    'changes nothing about what a meter finds, whatever follows what (on: %s)',
    (isOn) => {
      REPEATED_EVENTS.areRecognised = isOn;
      let seed = 11;
      const random = (below: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
        return (seed >> 8) % below;
      };
      for (let stream = 0; stream < 300; stream += 1) {
        const meter = new ChoicesMeter();
        let text = '';
        let totalBytes = 0;
        let extraTokens = 0;
        let isJson = true;
        let hasContent: boolean = false;
        // Streams of few shapes, so that events repeat, and of many, so that they are given up.
        const shapes = Array.from({ length: 1 + random(4) }, () => SHAPES[random(SHAPES.length)]);
        for (let event = 0; event < 40; event += 1) {
          const shape = shapes[random(shapes.length)];
          const plain = TEXTS[random(TEXTS.length)] ?? '';
          // Raw control characters are no JSON; some vendors send them all the same.
          const isRaw = random(20) === 0;
          const inside = isRaw ? `"${plain}"` : JSON.stringify(plain);
          isJson &&= !isRaw;
          const padding = ' '.repeat(random(3));
          const bytes = Buffer.from(`${padding}${shape?.(inside, event) ?? ''}${padding}`);
          const fresh = new ChoicesMeter();
          const verdict = fresh.readEvent(bytes, padding.length, bytes.length - padding.length);
          // A "stop" proves an answer only where something of one came before it.
          const isProvenStop: boolean = verdict === 'setup' && fresh.hasFinish && hasContent;
          const expected: string = isProvenStop ? 'content' : verdict;
          hasContent ||= expected === 'content';
          expect(meter.readEvent(bytes, padding.length, bytes.length - padding.length)).toBe(expected);
          text += fresh.produced.keptText();
          totalBytes += fresh.produced.totalBytes;
          extraTokens += fresh.produced.extraTokens;
          expect(meter.produced.totalBytes).toBe(totalBytes);
          if (fresh.usage !== undefined) expect(meter.usage).toEqual(fresh.usage);
          if (fresh.hasFinish) expect(meter.hasFinish).toBe(true);
        }
        // Texts are decoded together, so one that is no JSON shows the others as they stand.
        if (isJson) expect(meter.produced.keptText()).toBe(text);
        expect(meter.produced.extraTokens).toBe(extraTokens);
      }
    },
  );

  it('recognises what differs in one string only', () => {
    const event = new RepeatedEvent();
    const bytes = Buffer.from(
      '{"t":"one","x":1}{"t":"three","x":1}{"t":"","x":1}{"t":"a\\"b","x":1}{"t":"z","x":2}',
    );
    event.remember(bytes, 0, 17, 6, 9);
    expect(event.recognises(bytes, 17, 36)).toBe(true);
    expect(bytes.toString('utf8', event.from, event.to)).toBe('three');
    expect(event.recognises(bytes, 36, 50)).toBe(false);
    expect(event.recognises(bytes, 50, 68)).toBe(false);
    expect(event.recognises(bytes, 68, bytes.length)).toBe(false);
  });

  it('remembers nothing when it is switched off', () => {
    expect(new RepeatedEvent().isWorthwhile).toBe(true);
    REPEATED_EVENTS.areRecognised = false;
    expect(new RepeatedEvent().isWorthwhile).toBe(false);
  });

  it('gives up a stream whose events do not repeat, and goes on with one that has', () => {
    const event = new RepeatedEvent();
    const bytes = Buffer.from('{"t":"one"}');
    for (let round = 0; round < 7; round += 1) event.remember(bytes, 0, 11, 6, 9);
    expect(event.isWorthwhile).toBe(true);
    expect(event.recognises(bytes, 0, 11)).toBe(true);
    for (let round = 0; round < 8; round += 1) event.remember(bytes, 0, 11, 6, 9);
    expect(event.isWorthwhile).toBe(false);
  });

  it('keeps no frame that is longer than it is worth', () => {
    const event = new RepeatedEvent();
    const bytes = Buffer.from(`{"x":"${'x'.repeat(3_000)}","t":"one"}`);
    const from = bytes.length - 5;
    event.remember(bytes, 0, bytes.length, from, bytes.length - 2);
    expect(event.recognises(bytes, 0, bytes.length)).toBe(false);
  });
});
