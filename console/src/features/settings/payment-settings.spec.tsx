import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const stored: Record<string, string> = {
  TopUpLink: '',
  'payment_setting.amount_options': '[10,20]',
  'payment_setting.amount_discount': '{}',
  TopupGroupRatio: '{"default":1}',
  PayAddress: '',
  EpayId: '',
  CustomCallbackAddress: '',
  Price: '7.3',
  MinTopUp: '1',
  PayMethods: '[]',
  EpayConfirmAboveMoney: '0',
  EpayOrderQueryEnabled: 'true',
  StripeEnabled: 'false',
  StripeApiAddress: '',
  StripeCurrency: 'usd',
  StripeUnitPrice: '1',
  StripeMinTopUp: '1',
};

function settingsApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': { data: Object.entries(stored).map(([key, value]) => ({ key, value })) },
    'PUT /api/option': { data: null },
  });
  return api;
}

const changes = () => api.made('PUT /api/option').map((call) => call.body);

describe('payment settings', () => {
  it('sends the key in one call with the address it belongs to', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=system', api);
    const epay = within(await screen.findByRole('region', { name: 'Payment by epay' }));
    await user.type(epay.getByLabelText(/^Merchant key/), 'a key of the merchant');
    await user.type(epay.getByLabelText(/^Payment address/), 'https://pay.example/');
    await user.type(epay.getByLabelText(/^Merchant id/), '1001');
    await user.click(epay.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toEqual([
        {
          changes: [
            { key: 'PayAddress', value: 'https://pay.example' },
            { key: 'EpayKey', value: 'a key of the merchant' },
          ],
        },
        { key: 'EpayId', value: '1001' },
      ]),
    );
  });

  it('explains at the address why it cannot change without the key', async () => {
    settingsApi().answer({
      'PUT /api/option': { refused: 'The secret EpayKey was typed for another address' },
    });
    const { user } = renderConsole('/setting?tab=system', api);
    const epay = within(await screen.findByRole('region', { name: 'Payment by epay' }));
    await user.type(epay.getByLabelText(/^Payment address/), 'https://other.example');
    await user.click(epay.getByRole('button', { name: 'Save' }));
    expect(await epay.findByText('The secret EpayKey was typed for another address')).toBeVisible();
    expect(epay.getByLabelText(/^Payment address/)).toHaveValue('https://other.example');
    expect(changes()).toEqual([{ key: 'PayAddress', value: 'https://other.example' }]);
  });

  it('asks at the key for it when its address moves, and sends both together', async () => {
    settingsApi().answer({
      'PUT /api/option': ({ body }) =>
        'changes' in (body as object)
          ? { data: null }
          : { refused: 'StripeApiSecret was typed for another', members: { code: 'option_secret_retype' } },
    });
    const { user } = renderConsole('/setting?tab=system', api);
    const stripe = within(await screen.findByRole('region', { name: 'Payment by Stripe' }));
    await user.type(stripe.getByLabelText(/^Stripe API address/), 'https://other.example');
    await user.click(stripe.getByRole('button', { name: 'Save' }));
    const key = stripe.getByLabelText(/^API key/);
    await waitFor(() =>
      expect(key).toHaveAccessibleDescription(
        /Entered for the previous address: enter it again, or remove it/,
      ),
    );
    await user.type(key, 'sk_of_the_other');
    await user.click(stripe.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toContainEqual({
        changes: [
          { key: 'StripeApiAddress', value: 'https://other.example' },
          { key: 'StripeApiSecret', value: 'sk_of_the_other' },
        ],
      }),
    );
  });

  it('switches Stripe on after its secrets, and names the address of the webhook', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=system', api);
    const stripe = within(await screen.findByRole('region', { name: 'Payment by Stripe' }));
    expect(stripe.getByText('https://gate.example/api/stripe/webhook')).toBeVisible();
    await user.click(stripe.getByRole('switch', { name: 'Top up with Stripe' }));
    await user.type(stripe.getByLabelText(/^API key/), 'sk_test_x');
    await user.type(stripe.getByLabelText(/^Webhook signing secret/), 'whsec_x');
    await user.click(stripe.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toEqual([
        { key: 'StripeApiSecret', value: 'sk_test_x' },
        { key: 'StripeWebhookSecret', value: 'whsec_x' },
        { key: 'StripeEnabled', value: 'true' },
      ]),
    );
  });

  it('refuses a minimum below one', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=system', api);
    const epay = within(await screen.findByRole('region', { name: 'Payment by epay' }));
    const minimum = epay.getByLabelText(/^Minimum top-up/);
    await user.clear(minimum);
    await user.type(minimum, '0');
    await user.click(epay.getByRole('button', { name: 'Save' }));
    expect(await epay.findByText('At least 1')).toBeVisible();
    expect(changes()).toEqual([]);
  });
});
