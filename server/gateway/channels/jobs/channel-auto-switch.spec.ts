import { describe, expect, it } from '@jest/globals';
import { channelRow } from '../../../../test/support/stored-rows.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import type { ProbeResult } from '../probing/probe-call.js';
import type { ChannelFaults } from '../routing/channel-fault.js';
import type { ChannelNotifications } from '../routing/channel-notifications.js';
import type { ChannelSwitch, SwitchOutcome } from '../state/channel-switch.js';
import { ChannelAutoSwitch } from './channel-auto-switch.js';

const refused: RelayError = { kind: 'upstream-key-refused', blame: 'upstream', message: 'refused' };
const busy: RelayError = { kind: 'upstream-overloaded', blame: 'upstream', message: 'busy' };
const result = (changes: Partial<ProbeResult> = {}): ProbeResult =>
  ({ success: true, timeMs: 1_000, ...changes }) as ProbeResult;
const failing = (error: RelayError) => result({ success: false, error });

const ALLOWED = {
  AutomaticDisableChannelEnabled: true,
  AutomaticEnableChannelEnabled: true,
  ChannelDisableThreshold: 5,
};

function consequences(options: Partial<OptionValues> = ALLOWED, outcome: SwitchOutcome = 'key') {
  const done: string[] = [];
  const act = (name: string, answer: unknown) => async () => {
    done.push(name);
    return answer;
  };
  const service = new ChannelAutoSwitch(
    { values: () => ({ ...OPTION_FALLBACKS, ...options }) } as unknown as OptionsService,
    { of: (error: RelayError) => (error === refused ? 'key refused' : null) } as unknown as ChannelFaults,
    {
      disable: act('off', true),
      enable: act('on', true),
      disableKey: act('key off', outcome),
      enableKey: act('key on', outcome),
    } as unknown as ChannelSwitch,
    {
      tell: async ({ change }: { change: string }) => void done.push(`told ${change}`),
    } as unknown as ChannelNotifications,
  );
  return { service, done };
}

describe('ChannelAutoSwitch', () => {
  it.each<[string, number, ProbeResult, readonly string[]]>([
    ['a channel that is on and is refused', 1, failing(refused), ['off', 'told off']],
    ['a channel that is on and too slow', 1, result({ timeMs: 5_001 }), ['off', 'told off']],
    ['a channel that is on and just quick enough', 1, result({ timeMs: 5_000 }), []],
    ['a channel that is on and fails for another reason', 1, failing(busy), []],
    ['a channel that is on and answers', 1, result(), []],
    ['a fallen channel that answers', 3, result(), ['on', 'told on']],
    ['a fallen channel that is too slow', 3, result({ timeMs: 5_001 }), []],
    ['a fallen channel that fails', 3, failing(busy), []],
  ])('draws from the test of %s', async (_, status, test, acts) => {
    const { service, done } = consequences();
    await service.afterTest(channelRow({ status }), test);
    expect(done).toEqual(acts);
  });

  it('switches nothing that the operator or the job does not allow', async () => {
    const none = consequences({
      AutomaticDisableChannelEnabled: false,
      AutomaticEnableChannelEnabled: false,
    });
    await none.service.afterTest(channelRow(), failing(refused));
    await none.service.afterTest(channelRow({ status: 3 }), result());
    await none.service.afterBalance(channelRow(), 0);
    await none.service.afterKeyTest(channelRow(), { credential: 'k', isOn: true }, failing(refused));
    expect(none.done).toEqual([]);
    const recovering = consequences();
    await recovering.service.afterTest(channelRow(), failing(refused), false);
    expect(recovering.done).toEqual([]);
  });

  it.each<[boolean, ProbeResult, SwitchOutcome, readonly string[]]>([
    [true, failing(refused), 'key', ['key off', 'told key']],
    [true, failing(refused), 'channel', ['key off', 'told off']],
    [true, failing(refused), 'nothing', ['key off']],
    [true, failing(busy), 'key', []],
    [false, result(), 'key', ['key on', 'told key']],
    [false, result(), 'channel', ['key on', 'told on']],
    [false, failing(busy), 'key', []],
  ])('draws from the test of a key that is on: %s', async (isOn, test, outcome, acts) => {
    const { service, done } = consequences(ALLOWED, outcome);
    await service.afterKeyTest(channelRow(), { credential: 'k', isOn }, test);
    expect(done).toEqual(acts);
  });

  it.each([
    [0, ['off', 'told off']],
    [-1, ['off', 'told off']],
    [0.01, []],
  ])('draws from a balance of %s dollars', async (dollars, acts) => {
    const { service, done } = consequences();
    await service.afterBalance(channelRow(), dollars);
    expect(done).toEqual(acts);
  });
});
