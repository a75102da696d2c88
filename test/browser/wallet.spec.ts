import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import Stripe from 'stripe';
import { signEpay } from '../../server/console/wallet/payments/epay.provider.js';
import { GatewayConsole } from '../support/gateway-console.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { Inspection } from './support/inspection.js';
import { LOOKS } from './support/looks.js';
import { complaintsOf, dress, signIn } from './support/stage.js';
import { textsOf } from './support/texts.js';

const EPAY_KEY = 'merchant key of a test';
const WEBHOOK_SECRET = 'whsec_of_a_test';

/** Both payment services in one: a page to pay on, the epay order query, and the checkout sessions of Stripe. */
class PaymentServices {
  readonly posted: URLSearchParams[] = [];
  readonly sessions: Record<string, unknown>[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
        const path = request.url ?? '';
        const json = (body: unknown) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        };
        if (path.endsWith('/submit.php') && request.method === 'POST') {
          this.posted.push(form);
          // Payment services redirect browsers; the console's own policy is checked at each step.
          response.writeHead(302, { location: '/cashier' }).end();
        } else if (path === '/v1/checkout/sessions' && request.method === 'POST') {
          json(this.openSession(form));
        } else if (path.startsWith('/pay/api.php')) json({ code: -1, msg: 'no such order' });
        else
          response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Cashier</title><p>Please pay');
      });
    });
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private openSession(form: URLSearchParams): Record<string, unknown> {
    const id = `cs_test_${this.sessions.length + 1}`;
    const session = {
      id,
      object: 'checkout.session',
      client_reference_id: form.get('client_reference_id'),
      payment_status: 'unpaid',
      status: 'open',
      payment_intent: null,
      livemode: false,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      url: `${this.url}/checkout/${id}`,
      success_url: form.get('success_url'),
    };
    this.sessions.push(session);
    return session;
  }
}

/** Notification of epay about a paid order, as a query. */
function epayNotice(order: URLSearchParams): string {
  const of = (name: string) => order.get(name) ?? '';
  const fields = {
    pid: '1001',
    trade_no: `P${of('out_trade_no')}`,
    out_trade_no: of('out_trade_no'),
    type: of('type'),
    name: of('name'),
    money: of('money'),
    trade_status: 'TRADE_SUCCESS',
  };
  return new URLSearchParams({ ...fields, sign: signEpay(fields, EPAY_KEY), sign_type: 'MD5' }).toString();
}

async function tellStripeWasPaid(gateway: string, session: Record<string, unknown>): Promise<number> {
  const object = { ...session, payment_status: 'paid', status: 'complete', payment_intent: 'pi_of_a_test' };
  const payload = JSON.stringify({
    id: 'evt_of_a_test',
    object: 'event',
    type: 'checkout.session.completed',
    livemode: false,
    data: { object },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  const response = await fetch(`${gateway}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  return response.status;
}

test.describe('money in the console', () => {
  let gateway: GatewayProcess;
  let root: GatewayConsole;
  const services = new PaymentServices();

  test.beforeAll(async () => {
    await services.start();
    gateway = await GatewayProcess.start({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
    root = new GatewayConsole(gateway.url);
    await root.setUp();
    await root.setOptions({
      ServerAddress: gateway.url,
      PayAddress: `${services.url}/pay`,
      EpayId: '1001',
      EpayKey: EPAY_KEY,
      StripeApiAddress: services.url,
      StripeApiSecret: 'sk_test_of_a_test',
      StripeWebhookSecret: WEBHOOK_SECRET,
      StripeUnitPrice: 1.5,
      ModelRatio: { 'fx-std': 1.25, 'fx-big': 15 },
      CompletionRatio: { 'fx-std': 4, 'fx-big': 5 },
      ModelPrice: { 'fx-picture': 0.04 },
      GroupRatio: { default: 1, vip: 0.8 },
      UserUsableGroups: { default: 'Everybody', vip: 'VIP' },
      'payment_setting.amount_discount': { '50': 0.9 },
    });
    await root.setOptions({ StripeEnabled: true });
    await root.addChannel({
      base_url: services.url,
      models: ['fx-std', 'fx-big', 'fx-picture'],
      group: 'default,vip',
    });
  });

  test.afterAll(async () => {
    services.stop();
    await gateway.stop();
  });

  for (const language of ['en', 'zh'] as const) {
    test(`codes are made, handed over and redeemed once, in ${language}`, async ({ page }) => {
      const say = textsOf(language);
      const complaints = complaintsOf(page);
      await signIn(page, gateway.url, { language });
      await page.goto(`${gateway.url}/redemption`);
      await page
        .getByRole('button', { name: say('redemptions.add') })
        .first()
        .click();
      await page.locator('input[name=name]').fill(`gift ${language}`);
      await page.getByRole('button', { name: '$10', exact: true }).click();
      await page.locator('input[name=count]').fill('2');
      await page.getByRole('button', { name: say('redemptions.form.create') }).click();
      const codes = (await page.getByLabel(say('redemptions.made.codes')).inputValue()).split('\n');
      expect(codes).toHaveLength(2);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: say('redemptions.made.download') }).click();
      expect((await saved).suggestedFilename()).toBe(`gift_${language}.txt`);

      await page.goto(`${gateway.url}/topup`);
      await page.locator('input[name=key]').fill(codes[0] ?? '');
      await page.getByRole('button', { name: say('wallet.redeem.submit'), exact: true }).click();
      await expect(page.getByText(say('wallet.redeem.done', { quota: '$10.00' }))).toBeVisible();
      await expect(page.getByRole('cell', { name: say('wallet.kind.redeem') }).first()).toBeVisible();
      await page.locator('input[name=key]').fill(codes[0] ?? '');
      await page.getByRole('button', { name: say('wallet.redeem.submit'), exact: true }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      expect(complaints).toEqual([]);
    });
  }

  test('sends an order to epay as a form, and accepts only epay’s own confirmation', async ({ page }) => {
    await signIn(page, gateway.url);
    await page.goto(`${gateway.url}/topup`);
    await page.getByRole('button', { name: '$50 −10%' }).click();
    await page.getByRole('radio', { name: 'WeChat Pay' }).check();
    await expect(page.getByText('328.50')).toBeVisible();
    await page.getByRole('button', { name: 'Pay with WeChat Pay' }).click();
    await page.waitForURL(`${services.url}/cashier`);
    const order = services.posted.at(-1) ?? new URLSearchParams();
    expect([order.get('type'), order.get('money'), order.get('pid')]).toEqual(['wxpay', '328.50', '1001']);

    const notice = epayNotice(order);
    await page.goto(`${gateway.url}/topup?${notice}`);
    await expect(page.getByText('Waiting for the payment service')).toBeVisible();
    const told = await fetch(`${gateway.url}/api/user/epay/notify?${notice}`);
    expect(await told.text()).toBe('success');
    await expect(page.getByText('Payment received')).toBeVisible();
    await expect(page.getByText('+$50.00')).toBeVisible();
  });

  test('Stripe is paid on its own page, in its own currency', async ({ page }) => {
    await signIn(page, gateway.url);
    await page.goto(`${gateway.url}/topup`);
    await page.getByRole('radio', { name: 'Stripe (card)' }).check();
    await page.getByLabel('Amount', { exact: true }).fill('20');
    await expect(page.getByText('USD 30.00')).toBeVisible();
    await page.getByRole('button', { name: 'Pay with Stripe (card)' }).click();
    await page.waitForURL(`${services.url}/checkout/*`);
    const session = services.sessions.at(-1) ?? {};
    expect(await tellStripeWasPaid(gateway.url, session)).toBe(200);
    await page.goto(String(session['success_url']));
    await expect(page.getByText('Payment received')).toBeVisible();
    await expect(page.getByText('+$20.00')).toBeVisible();
  });

  test('completes by hand an order without a notification', async ({ page }) => {
    await root.send('POST', '/api/user/pay', { amount: 10, top_up_code: '', payment_method: 'zfb' });
    await signIn(page, gateway.url);
    await page.goto(`${gateway.url}/order?status=pending`);
    await page.getByRole('table').getByRole('button').first().click();
    await page.getByRole('button', { name: 'Complete manually…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete the order manually' });
    await dialog.getByLabel('Reason').fill('Seen in the bank statement');
    await dialog.getByRole('button', { name: 'Credit the order' }).click();
    await expect(page.getByText('Completed by an administrator')).toBeVisible();
  });

  for (const look of LOOKS) {
    test(`the screens are readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
      page,
    }) => {
      test.setTimeout(240_000);
      const { tradeNo } = await anyOrder(root);
      const complaints = complaintsOf(page);
      const inspection = new Inspection(page);
      await page.setViewportSize({ width: look.width, height: 900 });
      await dress(page, look);
      const check = (path: string) => inspection.visit(gateway.url + path, path);
      await check('/pricing');
      await signIn(page, gateway.url, look);
      for (const path of [
        '/pricing?ratios=true&model=fx-std',
        '/topup',
        `/topup?list=orders&out_trade_no=${tradeNo}`,
        '/redemption',
        '/redemption?edit=new',
        '/order',
        `/order?open=${tradeNo}`,
      ]) {
        await check(path);
      }
      expect(inspection.faults).toEqual([]);
      expect(complaints).toEqual([]);
    });
  }
});

async function anyOrder(root: GatewayConsole): Promise<{ tradeNo: string }> {
  const { items } = await root.send<{ items: { trade_no: string }[] }>(
    'GET',
    '/api/user/topup?p=1&page_size=10',
  );
  const known = items[0]?.trade_no;
  if (known !== undefined) return { tradeNo: known };
  await root.send('POST', '/api/user/pay', { amount: 10, top_up_code: '', payment_method: 'zfb' });
  return anyOrder(root);
}
