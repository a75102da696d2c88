import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';

/** Every key that the descriptions name: one that is no secret goes back as it came. */
const KEYS = [
  // Login and registration.
  ['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'EmailVerificationEnabled', 'RegisterEnabled'],
  ['GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret'],
  ['oidc.enabled', 'oidc.client_id', 'oidc.client_secret', 'oidc.well_known'],
  ['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'],
  ['LinuxDOOAuthEnabled', 'LinuxDOClientId', 'LinuxDOClientSecret'],
  ['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'],
  ['TelegramOAuthEnabled', 'TelegramBotToken', 'TelegramBotName'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'],
  ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled'],
  ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled', 'EmailDomainWhitelist'],
  ['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee'],
  // Operation.
  ['ModelRatio', 'ModelPrice', 'CacheRatio', 'CompletionRatio', 'GroupRatio', 'UserUsableGroups', 'Chats'],
  ['ModelRequestRateLimitGroup', 'gemini.safety_settings', 'gemini.version_settings'],
  ['gemini.supported_imagine_models', 'claude.model_headers_settings', 'claude.default_max_tokens'],
  ['QuotaRemindThreshold', 'PreConsumedQuota', 'QuotaPerUnit', 'StreamCacheQueueLength'],
  ['TopUpLink', 'general_setting.docs_link'],
  ['ChannelDisableThreshold', 'AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'],
  ['AutomaticDisableKeywords', 'RetryTimes'],
  ['LogConsumeEnabled', 'DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled'],
  ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled', 'SensitiveWords'],
  ['DrawingEnabled', 'MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjForwardUrlEnabled'],
  ['MjModeClearEnabled', 'MjActionCheckSuccessEnabled'],
  ['DataExportEnabled', 'DataExportDefaultTime', 'DataExportInterval'],
  ['DemoSiteEnabled', 'SelfUseModeEnabled', 'DefaultCollapseSidebar'],
  ['ModelRequestRateLimitEnabled', 'ModelRequestRateLimitCount'],
  ['ModelRequestRateLimitSuccessCount', 'ModelRequestRateLimitDurationMinutes'],
  ['gemini.thinking_adapter_enabled', 'gemini.thinking_adapter_budget_tokens_percentage'],
  ['claude.thinking_adapter_enabled', 'claude.thinking_adapter_budget_tokens_percentage'],
  ['global.pass_through_request_enabled'],
  ['general_setting.ping_interval_enabled', 'general_setting.ping_interval_seconds'],
  // Money.
  ['Price', 'MinTopUp'],
].flat();

let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
});
afterAll(() => app?.close());

async function options(): Promise<Map<string, string>> {
  const list = await root.expectSuccess<{ key: string; value: string }[]>('GET', '/api/option/');
  return new Map(list.map(({ key, value }) => [key, value]));
}

const put = async (key: string, value: unknown) => (await root.put('/api/option/', { key, value })).body;

describe('the options of the specification', () => {
  it.each(KEYS)('has %s, shown as text, and takes what it shows', async (key) => {
    const value = (await options()).get(key);
    expect(typeof value).toBe('string');
    expect(await put(key, value)).toMatchObject({ success: true });
    expect((await options()).get(key)).toBe(value);
  });

  it.each([
    ['ModelRequestRateLimitSuccessCount', '1000'],
    ['ModelRequestRateLimitDurationMinutes', '1'],
    ['DataExportDefaultTime', 'hour'],
    ['DataExportInterval', '5'],
    ['QuotaPerUnit', '500000'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.6'],
    ['claude.thinking_adapter_enabled', 'true'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.8'],
    ['general_setting.ping_interval_seconds', '60'],
    ['SelfUseModeEnabled', 'false'],
    ['DemoSiteEnabled', 'false'],
  ])('begins with %s at %s', async (key, value) => {
    expect((await options()).get(key)).toBe(value);
  });

  it.each([
    ['ModelRequestRateLimitDurationMinutes', '0', '-1'],
    ['ModelRequestRateLimitCount', '0', '-1'],
    ['ModelRequestRateLimitSuccessCount', '1', '0'],
    ['ModelRequestRateLimitGroup', '{"default":[0,1]}', '{"default":[0,0]}'],
    ['ModelRequestRateLimitGroup', '{"default":[100,50]}', '{"default":[-1,1]}'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.1', '0.09'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '1', '1.1'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.1', '0.05'],
    ['claude.thinking_adapter_budget_tokens_percentage', '1', '1.01'],
    ['general_setting.ping_interval_seconds', '1', '0'],
    ['DataExportDefaultTime', 'day', 'minute'],
    ['DataExportDefaultTime', 'week', 'month'],
    ['QuotaForNewUser', '0', '-1'],
    ['QuotaRemindThreshold', '0', '-1'],
    ['ChannelDisableThreshold', '0', '-1'],
    ['MinTopUp', '1', '0'],
    ['Price', '7.3', 'much'],
    ['LogConsumeEnabled', 'true', 'perhaps'],
    ['ModelRatio', '{"a":1}', '{"a":'],
    ['ModelPrice', '{"a":0.1}', 'a=0.1'],
    ['CacheRatio', '{"a":0.5}', '[0.5]'],
    ['CompletionRatio', '{"a":4}', '{"a":"four"}'],
    ['GroupRatio', '{"default":1,"vip":0.5}', '{"default":-1}'],
    ['UserUsableGroups', '{"default":"Usual"}', '{"default":5}'],
    ['Chats', '[{"One":"https://chat.example/?k={key}"}]', '{"One":"https://chat.example"}'],
    ['gemini.safety_settings', '{"default":"OFF"}', '"OFF"'],
    ['gemini.version_settings', '{"default":"v1beta"}', '{"default":1}'],
    ['gemini.supported_imagine_models', '["gemini-x"]', '{"gemini-x":true}'],
    ['claude.model_headers_settings', '{"claude-x":{"anthropic-beta":["a"]}}', '{"claude-x":5}'],
    ['claude.default_max_tokens', '{"default":8192}', '{"default":-1}'],
  ])('takes %s of %j and refuses %j', async (key, good, bad) => {
    expect(await put(key, good)).toMatchObject({ success: true });
    const before = (await options()).get(key);
    expect(await put(key, bad)).toMatchObject({ success: false, message: expect.stringContaining(key) });
    expect((await options()).get(key)).toBe(before);
  });

  it.each(['AutomaticDisableKeywords', 'SensitiveWords'])('keeps %s line by line', async (key) => {
    expect(await put(key, 'first phrase\nsecond phrase')).toMatchObject({ success: true });
    expect((await options()).get(key)?.split('\n')).toEqual(['first phrase', 'second phrase']);
  });

  it('keeps the setting of a user with its members, the webhook secret as a mark', async () => {
    await root.expectSuccess('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      quota_warning_threshold: 1_000,
      webhook_url: 'https://hooks.example/quota',
      webhook_secret: 'of a test',
      notification_email: '',
      accept_unset_model_ratio_model: true,
    });
    const { setting } = await root.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(setting)).toMatchObject({
      notify_type: 'webhook',
      quota_warning_threshold: 1_000,
      webhook_url: 'https://hooks.example/quota',
      webhook_secret_set: true,
      accept_unset_model_ratio_model: true,
    });
    expect(setting).not.toContain('of a test');
    const types = ['email', 'webhook', 'pigeon'];
    const taken = [];
    for (const notify_type of types)
      taken.push((await root.put('/api/user/setting', { notify_type })).body.success);
    expect(taken).toEqual([true, true, false]);
  });
});
