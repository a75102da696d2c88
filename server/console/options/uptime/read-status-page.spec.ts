import { describe, expect, it } from '@jest/globals';
import { readStatusPage } from './status-pages.js';

const PAGE = {
  config: { slug: 'models', title: 'Models' },
  publicGroupList: [
    { id: 1, name: 'Chat', monitorList: [{ id: 12, name: 'gpt', type: 'http' }] },
    { id: 2, name: 'Pictures', monitorList: [{ id: 7, name: 'dall-e' }] },
  ],
};
const beat = (status: number) => ({ status, time: '2026-11-25 08:00:00', msg: '', ping: 32 });

describe('the monitors of a status page', () => {
  it('takes the newest beat and the share of a day, in the order of the page', () => {
    const beats = {
      heartbeatList: { '7': [beat(1), beat(3)], '12': [beat(0), beat(1)] },
      uptimeList: { '12_24': 0.995, '7_24': 0.5 },
    };
    expect(readStatusPage(PAGE, beats)).toEqual([
      { name: 'gpt', group: 'Chat', status: 1, uptime: 0.995 },
      { name: 'dall-e', group: 'Pictures', status: 3, uptime: 0.5 },
    ]);
  });

  it('reads the lists of later versions, with shares by id and 0 for empty stretches', () => {
    const beats = { heartbeatList: { '12': [beat(1), 0] }, uptimeList: { '12': 1 } };
    expect(readStatusPage(PAGE, beats)).toMatchObject([
      { status: 2, uptime: 1 },
      { status: 2, uptime: 0 },
    ]);
  });

  it('keeps shares between none and all, whatever is written', () => {
    const beats = { heartbeatList: {}, uptimeList: { '12_24': 7, '7_24': 'all' } };
    expect(readStatusPage(PAGE, beats)?.map(({ uptime }) => uptime)).toEqual([1, 0]);
  });

  it('ends after a hundred monitors and shortens names', () => {
    const monitorList = Array.from({ length: 150 }, (_, id) => ({ id, name: 'x'.repeat(500) }));
    const told = readStatusPage(
      { publicGroupList: [{ name: 'All', monitorList }] },
      { heartbeatList: {}, uptimeList: {} },
    );
    expect(told).toHaveLength(100);
    expect(told?.[0]?.name).toHaveLength(100);
  });

  it.each([
    [undefined, { heartbeatList: {}, uptimeList: {} }],
    [PAGE, undefined],
    [PAGE, []],
    [{ publicGroupList: [{ name: 'Chat', monitorList: [{ name: 'without an id' }] }] }, PAGE],
  ])('reads nothing from documents of another kind', (page, beats) => {
    expect(readStatusPage(page, beats)).toBeUndefined();
  });
});
