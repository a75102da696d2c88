import { describe, expect, it } from '@jest/globals';
import { mergeSetting, presentSetting, readSetting } from './user-setting.js';

describe('the setting document of a user', () => {
  it.each([
    [{ notify_type: 'pigeon' }, 'notify_type_invalid'],
    [{ quota_warning_threshold: 0 }, 'notify_threshold_invalid'],
    [{ quota_warning_threshold: -1 }, 'notify_threshold_invalid'],
    [{ notify_type: 'webhook' }, 'webhook_address_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'http://hooks.example' }, 'webhook_address_invalid'],
    [{ webhook_url: 'javascript:alert(1)' }, 'webhook_address_invalid'],
    [{ notification_email: 'nobody' }, 'notification_mail_invalid'],
    [{ notification_email: 'a@b.c\r\nBcc: x@y.z' }, 'notification_mail_invalid'],
  ])('refuses %j', (input, code) => {
    expect(() => mergeSetting('', input)).toThrow(expect.objectContaining({ code }));
  });

  it('SELF-3 keeps what is not sent, and the secret until it is cleared', () => {
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

  it('AUTH-10 shows the secret to nobody, and that there is one only to its owner', () => {
    const stored = mergeSetting('', { webhook_secret: 'shh', accept_unset_model_ratio_model: true });
    expect(JSON.parse(presentSetting(stored, true))).toEqual({
      accept_unset_model_ratio_model: true,
      webhook_secret_set: true,
    });
    expect(JSON.parse(presentSetting(stored, false))).toEqual({ accept_unset_model_ratio_model: true });
  });

  it('G15 takes a document it cannot read for the strict defaults', () => {
    expect(readSetting('{"accept_unset_model_ratio_model":"yes"')).toEqual({});
    expect(readSetting('{"accept_unset_model_ratio_model":"yes"}')).toEqual({});
  });
});
