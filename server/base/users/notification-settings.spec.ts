import { describe, expect, it } from '@jest/globals';
import { noticeMethodOf } from './notification-settings.js';

const methodOf = (setting: object, email = 'ada@mail.example') =>
  noticeMethodOf({ email, setting: JSON.stringify(setting) });

describe('noticeMethodOf', () => {
  it('writes to the address of the account, in English unless another language is chosen', () => {
    expect(methodOf({})).toEqual({ kind: 'mail', address: 'ada@mail.example', language: 'en' });
    expect(methodOf({ language: 'zh' })).toMatchObject({ language: 'zh' });
  });

  it('writes to another address only when a code proved it', () => {
    const chosen = { notify_type: 'email', notification_email: 'other@mail.example' };
    expect(methodOf(chosen)).toMatchObject({ address: 'ada@mail.example' });
    expect(methodOf({ ...chosen, notification_email_proven: 'other@mail.example' })).toMatchObject({
      address: 'other@mail.example',
    });
    expect(methodOf({ ...chosen, notification_email_proven: 'third@mail.example' })).toMatchObject({
      address: 'ada@mail.example',
    });
  });

  it('sends nothing without an e-mail address or webhook', () => {
    expect(methodOf({}, '')).toEqual({ kind: 'none', language: 'en' });
    expect(methodOf({ notify_type: 'webhook' })).toEqual({ kind: 'none', language: 'en' });
  });

  it('calls the webhook that was chosen, with its secret', () => {
    expect(
      methodOf({ notify_type: 'webhook', webhook_url: 'https://hook.example/a', webhook_secret: 's' }),
    ).toEqual({ kind: 'webhook', url: 'https://hook.example/a', secret: 's', language: 'en' });
  });
});
