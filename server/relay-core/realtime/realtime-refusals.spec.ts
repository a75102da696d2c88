import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../test/support/memory-ports.js';
import { fail } from '../../common/result.js';
import { RealtimeFrame } from './realtime-frame.js';
import { RealtimeRefusals } from './realtime-refusals.js';

const KEY = 'sk-Zürich/€-12345';

function quotes(text: string): boolean {
  const findProvider = () => fail({ kind: 'internal', blame: 'gateway', message: 'none' } as const);
  const refusals = new RealtimeRefusals(findProvider, { ...aRoute(), credential: KEY });
  return refusals.quotesKey(RealtimeFrame.readServer(Buffer.from(text)));
}

const inCodes = (text: string): string =>
  [...text].map((letter) => String.raw`\u${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`).join('');

describe('the key of a channel in a frame', () => {
  it.each([
    ['as it stands', KEY],
    ['with a slash escaped', KEY.replace('/', String.raw`\/`)],
    ['in codes', inCodes(KEY)],
    ['in codes of capital letters', inCodes(KEY).toUpperCase().replaceAll('U', 'u')],
    ['in a text in a text', JSON.stringify(JSON.stringify(inCodes(KEY)))],
    ['behind a code that is none', String.raw`\u12g4\uzzzz ${inCodes(KEY)}`],
  ])('finds it %s', (_name, written) => {
    expect(quotes(`{"type":"x","text":"${written}"}`)).toBe(true);
  });

  it.each([
    ['another key', inCodes('sk-another')],
    ['half of it', inCodes(KEY.slice(0, -1))],
    ['escapes that are cut', String.raw`\u00`],
    ['digits beyond the hexadecimal', inCodes(KEY).replace('006', '00v')],
  ])('does not find it in %s', (_name, written) => {
    expect(quotes(`{"type":"x","text":"${written}`)).toBe(false);
    expect(quotes(`{"text":"${written}\\`)).toBe(false);
  });

  it.each([String.raw`\u0041`, String.raw`\\`])(
    'searches 15 MB of %s in less than 600 ms of CPU',
    (escape) => {
      const bytes = Buffer.from(escape.repeat(15_000_000 / escape.length));
      const refusals = new RealtimeRefusals(
        () => fail({ kind: 'internal', blame: 'gateway', message: 'none' } as const),
        { ...aRoute(), credential: KEY },
      );
      const frame = { bytes, isSpoken: false } as RealtimeFrame;
      const before = process.threadCpuUsage();
      expect(refusals.quotesKey(frame)).toBe(false);
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(600);
    },
  );
});
