import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { type OutboundPolicy, OutboundRefusal } from '../../infra/http-client/safe-url.js';
import type { OptionsService } from '../options/options.service.js';
import { WebhookSender } from './webhook-sender.js';

const BODY = { type: 't', title: 'a', content: 'b', timestamp: 1 };

interface Sent {
  readonly caller: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function sender({ status = 200, fault = '', WorkerUrl = '', isRefused = false } = {}) {
  const sent: Sent[] = [];
  const webhooks = new WebhookSender(
    {
      fetch: async (caller: string, request: Omit<Sent, 'caller'>) => {
        sent.push({ caller, ...request });
        return fault === '' ? { ok: true, value: { status } } : { ok: false, error: { kind: fault } };
      },
    } as unknown as OutboundClient,
    {
      check: async () => {
        if (isRefused) throw new OutboundRefusal('private');
      },
    } as unknown as OutboundPolicy,
    { values: () => ({ WorkerUrl, WorkerValidKey: 'worker-key' }) } as unknown as OptionsService,
  );
  const send = (url = 'https://hook.test/x', secret = '') => webhooks.send('user', { url, secret }, BODY);
  return { sent, send };
}

describe('WebhookSender', () => {
  it('proves the sender by a signature of the very bytes, and by the secret', async () => {
    const { sent, send } = sender();
    expect(await send(undefined, 's')).toBeNull();
    expect(sent).toMatchObject([{ caller: 'user', url: 'https://hook.test/x' }]);
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      'x-webhook-signature': createHmac('sha256', 's').update(JSON.stringify(BODY)).digest('hex'),
      authorization: 'Bearer s',
    });
    expect(JSON.parse(String(sent[0]?.body))).toEqual(BODY);
  });

  it('signs nothing without a secret', async () => {
    const { sent, send } = sender();
    await send();
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['content-type']);
  });

  it.each(['http://hook.test', 'ftp://hook.test', 'not an address'])('sends nothing to %s', async (url) => {
    const { sent, send } = sender();
    expect(await send(url)).toBe('address');
    expect(sent).toEqual([]);
  });

  it.each([
    [{ status: 204 }, null],
    [{ status: 299 }, null],
    [{ status: 302 }, 'refused'],
    [{ status: 500 }, 'refused'],
    [{ fault: 'refused-by-policy' }, 'address'],
    [{ fault: 'timeout' }, 'unreachable'],
  ])('answers %j with the class of fault %j', async (situation, fault) => {
    expect(await sender(situation).send()).toBe(fault);
  });

  it('sends a call through the worker, whose address is an operator’s', async () => {
    const { sent, send } = sender({ WorkerUrl: 'https://worker.test' });
    await send(undefined, 's');
    expect(sent).toMatchObject([{ caller: 'service', url: 'https://worker.test/' }]);
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({
      url: 'https://hook.test/x',
      key: 'worker-key',
      method: 'POST',
      headers: { authorization: 'Bearer s' },
      body: BODY,
    });
  });

  it('hands nothing over that it would not call itself', async () => {
    const { sent, send } = sender({ WorkerUrl: 'https://worker.test', isRefused: true });
    expect(await send()).toBe('address');
    expect(sent).toEqual([]);
  });
});
