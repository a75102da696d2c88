import { describe, expect, it } from '@jest/globals';
import { noticeMethodOf } from './notification-settings.js';
import { mergeSetting, presentSetting, readSetting, warningThresholdOf } from './user-setting.js';

describe('the setting document of a user', () => {
  it.each([
    [{ notify_type: 'pigeon' }, 'notify_type_invalid'],
    [{ quota_warning_threshold: -1 }, 'notify_threshold_invalid'],
    [{ quota_warning_threshold: 1e300 }, 'notify_threshold_invalid'],
    [{ notify_type: 'webhook' }, 'webhook_address_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'http://hooks.example' }, 'webhook_address_invalid'],
    [{ webhook_url: 'javascript:alert(1)' }, 'webhook_address_invalid'],
    [{ notification_email: 'nobody' }, 'notification_mail_invalid'],
    [{ notification_email: 'a@b.c\r\nBcc: x@y.z' }, 'notification_mail_invalid'],
  ])('refuses %j', (input, code) => {
    expect(() => mergeSetting('', input)).toThrow(expect.objectContaining({ code }));
  });

  it('keeps absent fields, and the secret until it is cleared [SELF-103]', () => {
    const first = mergeSetting('', {
      notify_type: 'webhook',
      webhook_url: 'https://hooks.example/a',
      webhook_secret: 'shh',
    });
    const second = mergeSetting(first, { notify_type: 'email', webhook_secret: '' });
    expect(readSetting(second)).toEqual({
      notify_type: 'email',
      webhook_url: 'https://hooks.example/a',
      webhook_secret: 'shh',
    });
    expect(readSetting(mergeSetting(second, { clear_webhook_secret: true }))).not.toHaveProperty(
      'webhook_secret',
    );
  });

  it('never shows the secret, and shows the address and the presence of a secret only to the owner [AUTH-110]', () => {
    const stored = mergeSetting('', {
      webhook_secret: 'shh',
      webhook_url: 'https://hooks.example/services/hidden',
      accept_unset_model_ratio_model: true,
    });
    expect(JSON.parse(presentSetting(stored, true))).toEqual({
      webhook_url: 'https://hooks.example/services/hidden',
      accept_unset_model_ratio_model: true,
      webhook_secret_set: true,
    });
    expect(JSON.parse(presentSetting(stored, false))).toEqual({ accept_unset_model_ratio_model: true });
  });

  it('takes a document it cannot read for the strict defaults', () => {
    expect(readSetting('{"accept_unset_model_ratio_model":"yes"')).toEqual({});
    expect(readSetting('{"accept_unset_model_ratio_model":"yes"}')).toEqual({});
  });
});

describe('where notices go', () => {
  const wayOf = (setting: Record<string, unknown>, email = 'own@example.test') =>
    noticeMethodOf({ email, setting: JSON.stringify(setting) });

  it('takes the own address while another one is not proven [SELF-04]', () => {
    expect(wayOf({ notification_email: 'else@example.test' })).toMatchObject({ address: 'own@example.test' });
    const proven = {
      notification_email: 'Else@example.test',
      notification_email_proven: 'else@example.test',
    };
    expect(wayOf(proven)).toMatchObject({ kind: 'mail', address: 'Else@example.test' });
    // The proof is of that address and no other.
    expect(wayOf({ ...proven, notification_email: 'third@example.test' })).toMatchObject({
      address: 'own@example.test',
    });
  });

  it('sends nothing without an address', () => {
    expect(wayOf({}, '')).toEqual({ kind: 'none', language: 'en' });
    expect(wayOf({ notify_type: 'webhook' })).toEqual({ kind: 'none', language: 'en' });
  });

  it('takes the webhook that was chosen, in the language of the account', () => {
    const setting = {
      notify_type: 'webhook',
      webhook_url: 'https://hooks.example',
      webhook_secret: 'shh',
      language: 'zh',
    };
    expect(wayOf(setting)).toEqual({
      kind: 'webhook',
      url: 'https://hooks.example',
      secret: 'shh',
      language: 'zh',
    });
  });

  it('decides below the threshold of the account, or else of the installation', () => {
    expect(warningThresholdOf('', 1_000)).toBe(1_000);
    expect(warningThresholdOf('{"quota_warning_threshold":5}', 1_000)).toBe(5);
  });

  it('reads 0, no warnings, for an account without a threshold', () => {
    const setting = mergeSetting('', { quota_warning_threshold: 0 });
    expect(warningThresholdOf(setting, 1_000)).toBe(0);
  });
});
