import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import { ChannelFaults, channelFaultOf } from './channel-fault.js';

const KEYWORDS = ['exceeded your current quota', 'Permission denied'];

const upstream = (
  upstreamStatus: number | undefined,
  fields: Partial<{ message: string; vendorType: string; vendorCode: string }> = {},
): RelayError => ({
  kind: 'upstream-request-rejected',
  blame: 'upstream',
  message: 'no',
  upstreamStatus,
  ...fields,
});

describe('channelFaultOf', () => {
  it.each([
    [
      'a refusal of ours',
      {
        kind: 'quota-insufficient',
        blame: 'caller',
        scope: 'user',
        message: 'exceeded your current quota',
      } as RelayError,
    ],
    ['no answer', upstream(undefined)],
    ['UP-07 a 400 that carries a telling type', upstream(400, { vendorType: 'insufficient_quota' })],
    ['a plain 403', upstream(403)],
    ['a plain 429', upstream(429)],
  ])('finds none in %s', (_, error) => {
    expect(channelFaultOf(error, KEYWORDS)).toBeNull();
  });

  it.each([
    ['401', upstream(401)],
    ['402', upstream(402)],
    ['403 with a keyword in another case', upstream(403, { message: 'PERMISSION DENIED for key' })],
    ['403 with a telling code', upstream(403, { vendorCode: 'account_deactivated' })],
    ['429 with a telling type', upstream(429, { vendorType: 'insufficient_quota' })],
  ])('finds some in %s', (_, error) => {
    expect(channelFaultOf(error, KEYWORDS)).toContain(error.message);
  });
});

describe("the operator's phrases", () => {
  it.each([400, 401, 403, 404, 418, 422, 429, 500, 503, 529])(
    'finds them in the vendor’s text with status %i, in any case',
    (status) => {
      const error: RelayError = {
        ...upstream(status),
        blame: 'upstream',
        kind: 'upstream-key-refused',
        vendorSays: { status, sentence: 'This organization: PERMISSION DENIED.' },
      };
      expect(channelFaultOf(error, KEYWORDS, [])).toBe(
        `The provider answered ${status}: This organization: PERMISSION DENIED.`,
      );
      expect(channelFaultOf({ ...error, vendorSays: { status, sentence: 'Busy' } }, KEYWORDS, [])).toBeNull();
    },
  );

  it('finds them in a refusal that came inside a success', () => {
    const error: RelayError = {
      kind: 'upstream-overloaded',
      blame: 'upstream',
      message: 'no',
      vendorSays: { sentence: 'permission denied' },
    };
    expect(channelFaultOf(error, KEYWORDS)).toBe('The provider said: permission denied');
  });

  it('matches nothing by a blank one', () => {
    expect(channelFaultOf(upstream(500), ['', '  '])).toBeNull();
  });
});

describe('ChannelFaults', () => {
  const faults = (AutomaticDisableChannelEnabled: boolean): ChannelFaults => {
    const values = {
      AutomaticDisableChannelEnabled,
      AutomaticDisableKeywords: KEYWORDS,
      AutomaticDisableStatusCodes: [[403, 403]],
    };
    return new ChannelFaults({ values: () => values } as unknown as OptionsService);
  };

  it("uses the operator's phrases and statuses", () => {
    expect(faults(true).of(upstream(403))).toContain('403');
    expect(faults(true).of(upstream(500, { message: 'Permission denied' }))).toContain('500');
    expect(faults(true).of(upstream(401))).toBeNull();
  });

  it('finds none while no channel is to be switched off', () => {
    expect(faults(false).of(upstream(403))).toBeNull();
  });
});
