import { describe, expect, it } from '@jest/globals';
import { operatorSentence, vendorErrorText } from '../../relay-core/model/relay-error.js';
import { refusal, type RefusalName, REFUSALS } from '../../relay-core/model/refusals.js';
import { operatorReasonIn } from './operator-reasons.js';

const CHANNEL_FAILURES = (Object.keys(REFUSALS) as RefusalName[]).filter(
  (code) => REFUSALS[code].blame === 'upstream',
);

describe('operatorReasonIn', () => {
  it.each(CHANNEL_FAILURES)('writes %s in Chinese, and calls a provider so in English', (code) => {
    const sentence = operatorSentence({ ...refusal(code), message: REFUSALS[code].message } as never);
    expect(operatorReasonIn('zh', sentence)).toMatch(/\p{Script=Han}/u);
    expect(operatorReasonIn('en', sentence)).not.toMatch(/upstream/i);
  });

  it.each([
    [
      vendorErrorText({ status: 401, sentence: 'Incorrect API key' }),
      'The provider answered 401: Incorrect API key',
      '服务商返回 401：Incorrect API key',
    ],
    ['The upstream answered 401: no', 'The provider answered 401: no', '服务商返回 401：no'],
    [vendorErrorText({ sentence: 'Closed' }), 'The provider said: Closed', '服务商返回：Closed'],
    [
      'all keys are off; the last one: status 403: The upstream could not be reached.',
      'All keys are off; the last one: The provider answered 403: The provider could not be reached.',
      '所有密钥都已停用；最后一个：服务商返回 403：无法连接服务商。',
    ],
    [
      'responses: The provider answered 404: no',
      'responses: The provider answered 404: no',
      'responses: 服务商返回 404：no',
    ],
    ['price: $& {status}', 'price: $& {status}', 'price: $& {status}'],
  ])('writes %j in both languages', (stored, en, zh) => {
    expect(operatorReasonIn('en', stored)).toBe(en);
    expect(operatorReasonIn('zh', stored)).toBe(zh);
  });

  it('leaves a provider’s own message as it is, even one the gateway uses too', () => {
    const { message } = refusal('unreachable');
    expect(operatorReasonIn('zh', vendorErrorText({ status: 502, sentence: message }))).toBe(
      `服务商返回 502：${message}`,
    );
    expect(operatorReasonIn('zh', 'Overloaded. $& {rest}')).toBe('Overloaded. $& {rest}');
  });
});
