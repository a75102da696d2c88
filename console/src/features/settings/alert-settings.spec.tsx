import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const STORED = {
  AlertsEnabled: 'true',
  AlertMailReceivers: 'oncall@example.test',
  AlertWebhookUrl: '',
  AlertLanguage: 'en',
  AlertRulesOff: 'version-differs',
  AlertQuietMinutes: '15',
  AlertErrorRatePercent: '2',
  AlertChannelFailurePercent: '10',
  AlertSpoolAgeSeconds: '300',
  AlertSettlementLagSeconds: '30',
  AlertEventLoopMs: '1000',
  AlertChannelBalance: '0',
  AlertWriteoffQuota: '500000',
};

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  AlertLanguage: ['en', 'zh'],
  AlertRulesOff: ['version-differs', 'error-rate', 'of-tomorrow'],
};

async function alertSection() {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': {
      data: Object.entries(STORED).map(([key, value]) => ({
        key,
        value,
        ...(key in CHOICES ? { choices: CHOICES[key] } : {}),
      })),
    },
    'PUT /api/option': { data: null },
    'POST /api/operations/alerts/test': {
      data: { reached: 1, fault: 'webhook: the receiver answered with another status than 2xx' },
    },
  });
  const { user } = renderConsole('/setting?tab=system', api);
  return { user, section: within(await screen.findByRole('region', { name: 'Alerts' })) };
}

describe('alert settings', () => {
  it('stores the rules that are off, so that those of a later version are reported', async () => {
    const { user, section } = await alertSection();
    expect(section.getByRole('checkbox', { name: 'Different versions' })).not.toBeChecked();
    // A rule that this console has no name for.
    expect(section.getByRole('checkbox', { name: 'of-tomorrow' })).toBeChecked();
    await user.click(section.getByRole('checkbox', { name: 'Failing calls' }));
    await user.click(section.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(api.made('PUT /api/option').map(({ body }) => body)).toEqual([
      { key: 'AlertRulesOff', value: 'version-differs,error-rate' },
    ]);
  });

  it('names the receivers that a test reached, and the reason for the others', async () => {
    const { user, section } = await alertSection();
    await user.click(section.getByRole('button', { name: 'Send a test' }));
    expect(
      await section.findByText(
        '1 recipient was reached. Not reached: webhook: the receiver answered with another status than 2xx',
      ),
    ).toBeVisible();
  });
});
