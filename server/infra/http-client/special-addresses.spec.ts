import { describe, expect, it } from '@jest/globals';
import { type AddressClass, classifyAddress } from './special-addresses.js';

describe('classifyAddress', () => {
  it.each<[AddressClass, readonly string[]]>([
    ['public', ['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '2606:4700::1111']],
    [
      'loopback',
      [
        '127.0.0.1',
        '127.255.255.254',
        '::1',
        '[::1]',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '64:ff9b::127.0.0.1',
      ],
    ],
    [
      'private',
      [
        '10.0.0.1',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '100.64.0.1',
        'fc00::1',
        'fdff::1',
        '::ffff:10.0.0.1',
      ],
    ],
    ['link-local', ['169.254.1.1', 'fe80::1', 'fe80::1%eth0', '[fe80::1%eth0]']],
    [
      'metadata',
      [
        '169.254.169.254',
        '169.254.170.2',
        '100.100.100.200',
        '168.63.129.16',
        'fd00:ec2::254',
        '::ffff:169.254.169.254',
      ],
    ],
    [
      'special',
      [
        '0.0.0.0',
        '192.0.2.1',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '::',
        '::127.0.0.1',
        'ff02::1',
        '2001::1',
        '2001:db8::1',
        '2002:7f00:1::',
        '64:ff9b:1::1',
        '4000::1',
      ],
    ],
    ['special', ['', 'localhost', '0x7f000001', '127.1', '010.0.0.1', '1.1.1.1.', '2130706433']],
  ])('takes for %s: %j', (meaning, addresses) => {
    expect(addresses.map((address) => [address, classifyAddress(address)])).toEqual(
      addresses.map((address) => [address, meaning]),
    );
  });
});
