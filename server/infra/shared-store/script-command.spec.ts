import { describe, expect, it } from '@jest/globals';
import { HoldArguments } from './hold-arguments.js';
import { ScriptCommand } from './script-command.js';
import type { HoldRequest } from './shared-store.js';

/** Parts of one command as Redis reads them. */
function partsOf(command: string): string[] {
  const bytes = Buffer.from(command);
  const parts: string[] = [];
  let at = bytes.indexOf('\r\n') + 2;
  const count = Number(bytes.toString('latin1', 1, at - 2));
  for (let index = 0; index < count; index += 1) {
    const sizeEnd = bytes.indexOf('\r\n', at);
    const size = Number(bytes.toString('latin1', at + 1, sizeEnd));
    parts.push(bytes.toString('utf8', sizeEnd + 2, sizeEnd + 2 + size));
    at = sizeEnd + 2 + size + 2;
  }
  expect(at).toBe(bytes.length);
  return parts;
}

describe('the text of a script', () => {
  it('has name, number of keys, keys and arguments, their lengths in bytes', () => {
    const text = ScriptCommand.of(['k:1', 'k:ü'], ['', 'größer', 0, 9_007_199_254_740_991]);
    expect(text.firstKey).toBe('k:1');
    expect(partsOf(text.command('evalsha', 'sha'))).toEqual([
      'evalsha',
      'sha',
      '2',
      'k:1',
      'k:ü',
      '',
      'größer',
      '0',
      '9007199254740991',
    ]);
  });
});

describe('texts of holds', () => {
  const names = {
    poolKey: ({ userId, tokenId }: { userId: number; tokenId: number | null }) =>
      tokenId === null ? `p${userId}` : `p${userId}:${tokenId}`,
    registryKey: (userId: number) => `h${userId}`,
    windowKey: (key: string) => `w${key}`,
  };
  const windows = [{ key: 'a', limit: 3, windowMs: 60_000, mode: 'count' as const }];
  const request = (more: Partial<HoldRequest> = {}): HoldRequest => ({
    callId: 'c',
    userId: 7,
    tokenId: 9,
    amount: 1,
    owner: 'me',
    promptEstimate: 1,
    windows,
    ...more,
  });
  const read = (texts: HoldArguments, hold: HoldRequest): string[] => {
    const text = new ScriptCommand('');
    const caller = texts.ofCaller(hold);
    const ofWindows = texts.ofWindows(hold.windows);
    for (const keys of [caller.keys, ofWindows.keys]) text.addKeys(keys);
    for (const args of [caller.args, ofWindows.args]) text.addArgs(args);
    return partsOf(text.command('e', 's')).slice(2);
  };

  it('holds the texts of the caller, its token, its worker and its windows', () => {
    const texts = new HoldArguments(names);
    for (let time = 0; time < 2; time += 1) {
      expect(read(texts, request())).toEqual([
        '4',
        'p7',
        'h7',
        'p7:9',
        'wa',
        '9',
        'me',
        '1',
        '3',
        '60000',
        'count',
      ]);
      expect(read(texts, request({ tokenId: null, windows: [] }))).toEqual([
        '3',
        'p7',
        'h7',
        'p7',
        '',
        'me',
        '0',
      ]);
      expect(read(texts, request({ tokenId: 8 })).slice(3, 4)).toEqual(['p7:8']);
      expect(read(texts, request({ userId: 6 })).slice(1, 4)).toEqual(['p6', 'h6', 'p6:9']);
      expect(read(texts, request({ owner: 'you' }))[6]).toBe('you');
    }
  });

  it('keeps them right when more callers come than are remembered', () => {
    const texts = new HoldArguments(names);
    for (let userId = 1; userId <= 10_003; userId += 1) texts.ofCaller(request({ userId }));
    for (const userId of [1, 10_000, 10_001, 10_003])
      expect(texts.ofCaller(request({ userId })).firstKey).toBe(`p${userId}`);
  });
});
