import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { channelRow } from '../../../../test/support/stored-rows.js';
import type { ChannelEntity } from './channel.entity.js';
import { ChannelSwitch } from './channel-switch.js';
import type { ChannelStore } from './channel-store.js';
import type { ChannelsRepository } from './channels.repository.js';
import { type KeyMark, readRingInfo, writeRingInfo } from './key-ring.js';

const NOW = 1_700_000_000;
const off = (status: number): KeyMark => ({ status, reason: 'refused', time: 1 });
const ring = (...marks: readonly (readonly [number, KeyMark])[]): string =>
  writeRingInfo({ mode: 'random', size: 2, marks: new Map(marks) });

/** A channel with the keys `first` and `second`. */
function switchOf(changes: Partial<ChannelEntity> | null = {}) {
  const row = changes === null ? null : channelRow(changes);
  const store = {
    change: (work: (manager: unknown) => unknown) => work({}),
    readWithKey: async () => ({ key: 'first\nsecond' }),
    update: async (_manager: unknown, before: ChannelEntity, columns: Partial<ChannelEntity>) =>
      Object.assign(before, columns),
  };
  const channels = new ChannelSwitch(
    { lock: async () => row } as unknown as ChannelsRepository,
    store as unknown as ChannelStore,
    new FakeClock(NOW * 1_000),
  );
  return { channels, row, marks: () => readRingInfo(row?.channelInfo ?? null)?.marks };
}

describe('ChannelSwitch of a channel', () => {
  it('switches it off once, with reason, time and the test that showed it', async () => {
    const { channels, row } = switchOf();
    const test = { model: 'm', endpoint: 'chat' } as const;
    expect(await channels.disable(1, 'x'.repeat(600), test)).toBe(true);
    expect(row?.status).toBe(3);
    expect(JSON.parse(row?.otherInfo ?? '')).toEqual({
      status_reason: 'x'.repeat(512),
      status_time: NOW,
      status_test: test,
    });
    expect(await channels.disable(1, 'again')).toBe(false);
  });

  it.each([
    ['that is gone', null],
    ['whose owner forbade it', { autoBan: 0 }],
    ['that a person switched off', { status: 2 }],
  ])('leaves a channel alone %s', async (_, changes) => {
    const { channels, row } = switchOf(changes);
    expect(await channels.disable(1, 'refused')).toBe(false);
    expect(row?.otherInfo ?? '').toBe('');
  });

  it.each([
    [3, true, 1],
    [2, false, 2],
    [1, false, 1],
  ])('switches one of status %i on: %s', async (status, isDone, after) => {
    const { channels, row } = switchOf({ status, otherInfo: 'why' });
    expect(await channels.enable(1)).toBe(isDone);
    expect([row?.status, row?.otherInfo]).toEqual([after, isDone ? '' : 'why']);
  });
});

describe('ChannelSwitch of a key', () => {
  it('switches one off, and the channel with its last one', async () => {
    const { channels, row, marks } = switchOf({ channelInfo: ring() });
    expect(await channels.disableKey(1, { credential: 'second', reason: 'refused' })).toBe('key');
    expect([row?.status, marks()]).toEqual([1, new Map([[1, { status: 3, reason: 'refused', time: NOW }]])]);
    expect(await channels.disableKey(1, { credential: 'first', reason: 'refused too' })).toBe('channel');
    expect(row?.status).toBe(3);
    expect(JSON.parse(row?.otherInfo ?? '')).toMatchObject({
      status_reason: 'all keys are off; the last one: refused too',
    });
  });

  it('counts keys that a person switched off among those that are off', async () => {
    const { channels } = switchOf({ channelInfo: ring([0, off(2)]) });
    expect(await channels.disableKey(1, { credential: 'second', reason: 'refused' })).toBe('channel');
  });

  it('does not count the marks of keys that are not there any more', async () => {
    const { channels } = switchOf({ channelInfo: ring([7, off(3)]) });
    expect(await channels.disableKey(1, { credential: 'second', reason: 'refused' })).toBe('key');
  });

  it('leaves a channel switched off by hand as it is when its last key falls', async () => {
    const { channels, row } = switchOf({ status: 2, channelInfo: ring([0, off(3)]) });
    expect(await channels.disableKey(1, { credential: 'second', reason: 'refused' })).toBe('key');
    expect(row?.status).toBe(2);
  });

  it.each([
    ['that is gone', null, 'first'],
    ['with one key', {}, 'first'],
    ['whose owner forbade it', { autoBan: 0, channelInfo: ring() }, 'first'],
    ['without this key', { channelInfo: ring() }, 'third'],
    ['whose key is off already', { channelInfo: ring([0, off(2)]) }, 'first'],
  ])('does nothing to a channel %s', async (_, changes, credential) => {
    expect(await switchOf(changes).channels.disableKey(1, { credential, reason: 'refused' })).toBe('nothing');
  });

  it('brings a key back, and with it a channel that had lost all of them', async () => {
    const fallen = switchOf({ status: 3, otherInfo: 'why', channelInfo: ring([0, off(3)], [1, off(3)]) });
    expect(await fallen.channels.enableKey(1, 'second')).toBe('channel');
    expect([fallen.row?.status, fallen.row?.otherInfo]).toEqual([1, '']);
    expect([...(fallen.marks()?.keys() ?? [])]).toEqual([0]);
    expect(await fallen.channels.enableKey(1, 'first')).toBe('key');
  });

  it.each([
    ['that a person switched off', { channelInfo: ring([0, off(2)]) }],
    ['that is on', { channelInfo: ring() }],
    ['of a channel that is gone', null],
  ])('does not bring a key back %s', async (_, changes) => {
    expect(await switchOf(changes).channels.enableKey(1, 'first')).toBe('nothing');
  });

  it('leaves a channel off that a person switched off, though a key of it works again', async () => {
    const { channels, row } = switchOf({ status: 2, channelInfo: ring([0, off(3)]) });
    expect(await channels.enableKey(1, 'first')).toBe('key');
    expect(row?.status).toBe(2);
  });
});
