import { describe, expect, it } from '@jest/globals';
import { channelRow } from '../../../../test/support/stored-rows.js';
import { type KeyMark, writeRingInfo } from '../state/key-ring.js';
import type { ChannelStore } from '../state/channel-store.js';
import type { ChannelAutoSwitch } from './channel-auto-switch.js';
import type { ChannelTestsService } from './channel-tests.service.js';
import { KeyRingTestsService } from './key-ring-tests.service.js';

const mark = (status: number): KeyMark => ({ status, reason: '', time: 0 });

/** Keys 0 and 1 are on, 2 fell, 3 was switched off by hand, 9 is of a key that is gone. */
const channelInfo = writeRingInfo({
  mode: 'random',
  size: 4,
  marks: new Map([
    [2, mark(3)],
    [3, mark(2)],
    [9, mark(3)],
  ]),
});

function rings({ info = channelInfo as string | null, works = (_index: number): boolean => true } = {}) {
  const tested: number[] = [];
  const drawn: unknown[] = [];
  const test = (index: number) => {
    tested.push(index);
    return { success: works(index) };
  };
  const service = new KeyRingTestsService(
    { open: async () => ({ channel: channelRow(), key: 'k0\nk1\nk2\nk3' }) } as unknown as ChannelStore,
    {
      test: async (_id: number, { keyIndex }: { keyIndex: number }) => test(keyIndex),
      testFallen: async (_id: number, _fall: unknown, index: number) => test(index),
    } as unknown as ChannelTestsService,
    {
      afterKeyTest: async (_row: unknown, key: unknown) => void drawn.push(key),
    } as unknown as ChannelAutoSwitch,
  );
  return {
    tested,
    drawn,
    test: (mayDisable: boolean) => service.test(channelRow({ channelInfo: info }), mayDisable),
  };
}

describe('KeyRingTestsService', () => {
  it('tests one key that is on, and every key that fell', async () => {
    const { tested, drawn, test } = rings();
    expect(await test(true)).toBe(true);
    expect(tested).toHaveLength(2);
    expect([0, 1]).toContain(tested[0]);
    expect(tested[1]).toBe(2);
    expect(drawn).toEqual([
      { credential: `k${tested[0]}`, isOn: true },
      { credential: 'k2', isOn: false },
    ]);
  });

  it('tests what fell alone where nothing may be switched off', async () => {
    const { tested, test } = rings();
    await test(false);
    expect(tested).toEqual([2]);
  });

  it('answers whether any of them works', async () => {
    expect(await rings({ works: (index) => index === 2 }).test(true)).toBe(true);
    expect(await rings({ works: () => false }).test(true)).toBe(false);
    expect(await rings({ info: null }).test(true)).toBe(false);
  });
});
