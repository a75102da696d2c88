import { describe, expect, it } from '@jest/globals';
import { ByteText } from '../../../common/byte-text.js';
import { writeField } from './fast-path-reply.js';

const written = (...fields: (readonly [name: string, value: string])[]): string => {
  const out = new ByteText(4);
  for (const [name, value] of fields) writeField(out, name, value);
  return out.bytes.subarray(0, out.length).toString('latin1');
};

describe('writeField', () => {
  it('writes name, value and the end of the line, byte for byte', () => {
    expect(written(['x-a', '1\t2'], ['x-b', ''], ['x-c', 'é\u00ff'])).toBe(
      'x-a: 1\t2\r\nx-b: \r\nx-c: é\u00ff\r\n',
    );
  });

  it.each(['a\r\nx-evil: 1', 'a\nb', 'a\rb', 'a\0', 'a\u007f', 'a\u0100', '漢'])(
    'refuses the value %j',
    (value) => {
      expect(() => written(['x-a', value])).toThrow(new TypeError('the header x-a cannot be sent'));
    },
  );

  it.each(['', 'a b', 'a:', 'a\r\nb', 'ä', '{x}'])('refuses the name %j', (name) => {
    expect(() => written([name, 'v'])).toThrow(TypeError);
  });

  it('leaves what stood before as it was when it refuses', () => {
    const out = new ByteText(4);
    writeField(out, 'x-a', '1');
    expect(() => writeField(out, 'x-b', 'long enough\n')).toThrow(TypeError);
    expect(out.bytes.subarray(0, out.length).toString('latin1')).toBe('x-a: 1\r\n');
  });
});
