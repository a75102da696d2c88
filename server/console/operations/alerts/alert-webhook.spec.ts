import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import {
  WEBHOOK_FAULTS,
  type WebhookFault,
  type WebhookSender,
} from '../../../base/notifications/webhook-sender.js';
import { AlertWebhook } from './alert-notifier.js';

const TARGET = { url: 'https://hook.test', secret: 's' };

async function called(outcome: WebhookFault | null | Error) {
  const sent: unknown[] = [];
  const webhook = new AlertWebhook(
    {
      send: async (...call: unknown[]) => {
        sent.push(call);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    } as unknown as WebhookSender,
    new FakeClock(1_700_000_000_999),
  );
  return { sent, delivery: await webhook.call(TARGET, { type: 'alert_x', title: 't', content: 'c' }) };
}

describe('AlertWebhook', () => {
  it('calls as a service of the settings, with the second of the call', async () => {
    const { sent, delivery } = await called(null);
    expect(sent).toEqual([
      ['service', TARGET, { type: 'alert_x', title: 't', content: 'c', timestamp: 1_700_000_000 }],
    ]);
    expect(delivery).toEqual({ reached: 1, fault: '' });
  });

  it.each<WebhookFault>(['address', 'unreachable', 'refused'])(
    'states in words why no recipient was reached: %s',
    async (fault) => {
      expect((await called(fault)).delivery).toEqual({
        reached: 0,
        fault: `webhook: ${WEBHOOK_FAULTS[fault]}`,
      });
    },
  );

  it('never fails', async () => {
    expect((await called(new Error('secret words'))).delivery).toEqual({
      reached: 0,
      fault: `webhook: ${WEBHOOK_FAULTS.unreachable}`,
    });
  });
});
