import { describe, expect, it } from '@jest/globals';
import { OptionComplaints, uncallableAddress } from './option-complaints.js';
import type { OptionRow } from './option-kinds.js';

const row = (part: Partial<OptionRow<unknown>>): OptionRow<unknown> =>
  ({ range: 'an address', parse: (text: string) => text, ...part }) as OptionRow<unknown>;

describe('OptionComplaints', () => {
  it('checks with the option itself before the others, and those in their order', () => {
    const complaints = new OptionComplaints();
    complaints.register((_row, value) => (value === 'b' ? 'first' : undefined));
    complaints.register(() => 'second');
    expect(complaints.about(row({ complaint: () => 'own' }), 'b', 'b')).toBe('own');
    expect(complaints.about(row({}), 'b', 'b')).toBe('first');
    expect(complaints.about(row({}), 'c', 'c')).toBe('second');
    expect(new OptionComplaints().about(row({}), 'b', 'b')).toBeUndefined();
  });

  it('describes the expected form of an unreadable stored text', () => {
    const parse = (): never => {
      throw new Error('unreadable');
    };
    expect(new OptionComplaints().ofStored(row({ parse }), 'x')).toBe('an address');
    expect(new OptionComplaints().ofStored(row({}), 'x')).toBeUndefined();
  });
});

describe('uncallableAddress', () => {
  const complaint = uncallableAddress({
    complaintAbout: (address) => (address.includes('10.') ? 'is private' : undefined),
  });

  it('names the first address that would not be called', () => {
    const calls = { as: 'service', addressesOf: () => ['https://a.example', 'https://10.0.0.1'] };
    expect(complaint(row({ calls } as never), '')).toBe('an address. https://10.0.0.1: is private');
  });

  it('ignores options without an outbound address', () => {
    expect(complaint(row({}), 'https://10.0.0.1')).toBeUndefined();
  });
});
