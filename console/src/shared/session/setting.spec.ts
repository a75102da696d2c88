import { describe, expect, it } from '@jest/globals';
import { readAccountSetting } from './setting';

const EMPTY = {
  notify_type: 'email',
  webhook_url: '',
  webhook_secret_set: false,
  notification_email: '',
  notification_email_verified: false,
  time_zone: '',
  accept_unset_model_ratio_model: false,
};

describe('readAccountSetting', () => {
  it.each(['', 'no JSON', 'null', '[]', '[{}]', '7', '"{}"', '{}'])(
    'reads %j as a setting of nothing',
    (text) => {
      expect(readAccountSetting(text)).toEqual(EMPTY);
    },
  );

  it('takes what is of another kind for missing, and grants nothing by it', () => {
    const odd = { ...EMPTY, notify_type: 'pigeon', time_zone: 5, accept_unset_model_ratio_model: 'true' };
    expect(readAccountSetting(JSON.stringify({ ...odd, quota_warning_threshold: null }))).toEqual({
      ...EMPTY,
      quota_warning_threshold: undefined,
    });
  });

  it('keeps what a later version stores', () => {
    expect(readAccountSetting('{"quota_warning_threshold":0,"later":1}')).toEqual({
      ...EMPTY,
      quota_warning_threshold: 0,
      later: 1,
    });
  });
});
