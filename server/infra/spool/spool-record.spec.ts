import { describe, expect, it } from '@jest/globals';
import { ByteText } from '../../common/byte-text.js';
import { decodeSegment, encodeRecord, type SpoolRecord } from './spool-record.js';

const records: readonly SpoolRecord[] = [
  { type: 'D', payload: '{"request_id":"a"}' },
  { type: 'C', payload: '{"request_id":"a","usage":"漢字 🙂"}' },
  { type: 'S', payload: '{"request_id":"a","priced":110}' },
];

function encode(record: SpoolRecord): Buffer {
  const target = new ByteText(8);
  encodeRecord(record.type, record.payload, target);
  return target.bytes.subarray(0, target.length);
}
const segment = Buffer.concat(records.map(encode));

describe('spool records', () => {
  it('reads them as they were written', () => {
    expect(decodeSegment(segment)).toEqual({ records, damages: [], tornBytes: 0 });
  });

  it('a segment cut at any byte loses its torn record and nothing else', () => {
    const ends = [0, 1, 2, 3].map((count) => Buffer.concat(records.slice(0, count).map(encode)).length);
    for (let length = 0; length <= segment.length; length += 1) {
      const whole = ends.filter((end) => end <= length).length - 1;
      const content = decodeSegment(segment.subarray(0, length));
      expect(content.records).toEqual(records.slice(0, whole));
      expect(content.damages).toEqual([]);
      expect(content.tornBytes).toBe(length - (ends[whole] ?? 0));
    }
  });

  it('any single damaged byte costs at most its own record; the rest is read and the damage is reported', () => {
    for (let at = 0; at < segment.length; at += 1) {
      const bytes = Buffer.from(segment);
      bytes[at] = (bytes[at] ?? 0) ^ 0x41;
      const content = decodeSegment(bytes);
      expect(content.records.length).toBe(records.length - 1);
      for (const record of content.records) expect(records).toContainEqual(record);
      const damaged = content.damages.reduce((sum, damage) => sum + damage.bytes.length, content.tornBytes);
      expect(damaged).toBeGreaterThan(0);
    }
  });

  it('garbage is no record', () => {
    expect(decodeSegment(Buffer.from('TGr1 TGr1 nothing of that kind TGr1')).records).toEqual([]);
    expect(decodeSegment(Buffer.alloc(100, 0xff)).tornBytes).toBe(100);
  });

  it('writes one behind the other, by text or by hand, and keeps nothing of one that could not be written', () => {
    const target = new ByteText(8);
    const [first, second, third] = records as [SpoolRecord, SpoolRecord, SpoolRecord];
    encodeRecord(first.type, first.payload, target);
    encodeRecord(second.type, { writeTo: (text) => void text.utf8(second.payload) }, target);
    const broken = {
      writeTo: (text: ByteText): void => {
        text.ascii('half');
        throw new RangeError('no more');
      },
    };
    expect(() => encodeRecord('S', broken, target)).toThrow('no more');
    encodeRecord(third.type, third.payload, target);
    expect(target.bytes.subarray(0, target.length)).toEqual(segment);
  });
});
