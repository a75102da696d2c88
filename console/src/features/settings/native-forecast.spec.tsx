import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

interface Move {
  readonly group: string;
  readonly api: string;
  readonly channel_id: number;
  readonly calls: number;
  readonly of: number;
}

async function sectionWith(moves: readonly Move[], calls = 1_200) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': {
      data: [
        { key: 'NativeChannelsFirst', value: 'false' },
        { key: 'NativeChannelsFirstGroup', value: '{}' },
      ],
    },
    'GET /api/channel/native-forecast': { data: { calls, moves } },
    'PUT /api/option': { data: null },
    'GET /api/pricing/state': { data: {} },
  });
  const { user } = renderConsole('/setting?tab=operation', api);
  return { user, section: within(await screen.findByRole('region', { name: 'Choice of channels' })) };
}

const aMove = (changes: Partial<Move> = {}): Move => ({
  group: 'default',
  api: 'messages',
  channel_id: 7,
  calls: 42,
  of: 100,
  ...changes,
});

describe('settings of the choice of channels', () => {
  it('forecasts nothing before there are calls', async () => {
    const { section } = await sectionWith([], 0);
    expect(await section.findByText('No calls in the last 7 days to base a forecast on.')).toBeVisible();
  });

  it('names the calls that would move, and turns native channels first on', async () => {
    const { user, section } = await sectionWith([
      aMove(),
      aMove({ group: 'vip', api: 'chat', calls: 1, of: 900 }),
    ]);
    expect(
      await section.findByText('42 % of the Messages calls of group default would move to channel 7.'),
    ).toBeVisible();
    expect(section.getByText('1 % of the Chat calls of group vip would move to channel 7.')).toBeVisible();
    expect(section.getByText(/newest 1,200 calls of the last 7 days/)).toBeVisible();
    await user.click(section.getByRole('switch', { name: 'Native channels first' }));
    await user.click(section.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(api.made('PUT /api/option').map(({ body }) => body)).toEqual([
      { key: 'NativeChannelsFirst', value: 'true' },
    ]);
  });

  it('counts the moves beyond the first eight', async () => {
    const { section } = await sectionWith(
      Array.from({ length: 11 }, (_, index) => aMove({ channel_id: index + 1 })),
    );
    expect(await section.findByText('3 more smaller changes.')).toBeVisible();
    expect(section.queryByText(/channel 9/)).toBeNull();
  });

  it('reports when no calls would move', async () => {
    const { section } = await sectionWith([]);
    expect(await section.findByText(/^No calls would move/)).toBeVisible();
  });
});
