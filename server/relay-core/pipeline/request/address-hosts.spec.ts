import { describe, expect, it } from '@jest/globals';
import { hostsOfAddress } from './address-hosts.js';

const addressesOf = (text: string): readonly (string | undefined)[] =>
  hostsOfAddress(text).map(({ address }) => address);

describe('hostsOfAddress', () => {
  it.each([
    'http://127.0.0.1',
    'HTTP://127.0.0.1/a',
    'https://127.0.0.1:8443/',
    'ws://127.0.0.1',
    'rtsp://127.0.0.1/s',
    'http:/127.0.0.1',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1',
    'http:///127.0.0.1',
    '//127.0.0.1/a',
    '\\\\127.0.0.1\\a',
    '127.0.0.1:8099/a',
    '127.0.0.1/a',
    '127.1/a',
    'localhost',
    'localhost/a',
    'localhost:80/a',
    'LOCALHOST.:80',
    'http://2130706433/',
    'http://0x7f000001',
    'http://0x7f.1',
    'http://017700000001',
    'http://0177.0.0.1',
    'http://127.1',
    'http://127.0.1',
    'http://127.0.0.1.',
    'http://127.0.0.1../',
    'http://0x7F.0x0.0x0.0x1',
    'http://127.0.0.01',
    'http://１２７.0.0.1/',
    'http://127。0．0｡1/',
    'http://①②⑦.0.0.1',
    'http://12\u00ad7.0.0.1',
    '１２７.0.0.1/a',
    'http://%31%32%37.0.0.1/',
    'http://127%2e0%2e0%2e1',
    'http://%2531%2532%2537.0.0.1',
    'http://127.0.0.1%2f.example.com/',
    'http://user@127.0.0.1/',
    'http://user:pw@127.0.0.1:80/',
    'http://example.com\\@127.0.0.1/',
    'http://127.0.0.1\\@example.com/',
    'http://example.com#@127.0.0.1/',
    'http://127.0.0.1#@example.com/',
    'http://example.com?@127.0.0.1/',
    'http://a@127.0.0.1@example.com/',
    '  http://127.0.0.1',
    '\u00a0http://127.0.0.1',
    'ht\ntp://127.\t0.0.1',
    '\u0000http://127.0.0.1 ',
    '\u3000http://127.0.0.1/',
    'http://localhost',
    'http://LocalHost./',
    'http://app.localhost:3000',
    'http://ip6-localhost/',
    'http://ｌocalhost/',
    '<http://127.0.0.1/>',
    '<URL:http://127.0.0.1/>',
    'url:http://127.0.0.1>',
    '"http://127.0.0.1"',
    "('http://127.0.0.1')",
    'blob:http://127.0.0.1/a',
    'view-source:http://127.0.0.1/',
    'jar:http://127.0.0.1!/',
    'http://127.0.0.1;example.com/',
    'http://127.0.0.1,example.com/',
    'http://127.0.0.1 .example.com/',
    'http://127.0.0.1\u0000.example.com/',
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'file://server/share',
  ])('finds this machine in %j', (text) => {
    expect(addressesOf(text)).toContain('127.0.0.1');
  });

  it.each([
    ['http://[::1]/', '::1'],
    ['http://[::1]:8099/', '::1'],
    ['[::1]:8099/a', '::1'],
    ['http://[0:0:0:0:0:0:0:1]', '::1'],
    ['http://[::ffff:127.0.0.1]', '127.0.0.1'],
    ['http://[::ffff:7f00:1]', '127.0.0.1'],
    ['http://[fe80::1%25eth0]/', 'fe80::1'],
    ['http://[fe80::1%eth0]/', 'fe80::1'],
    ['http://::1/', '::1'],
    ['http://user@[fd00::1]/', 'fd00::1'],
    ['http://%5B::1%5D/', '::1'],
    ['http://010.0.0.1/', '10.0.0.1'],
    ['http://010.0.0.1/', '8.0.0.1'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://0/', '0.0.0.0'],
    ['http://4294967297/', '0.0.0.0'],
    ['http://127.0.0.1.1/', '0.0.0.0'],
    ['http://1.2.3.256/', '0.0.0.0'],
    ['\u2028'.repeat(2_000), '0.0.0.0'],
    [`h${'\n'.repeat(2_000)}`, '0.0.0.0'],
    ['0.0.0.0:80/a', '0.0.0.0'],
    ['1.2.3.256/a', '0.0.0.0'],
    ['http://[::1/', undefined],
    [`http://${'a'.repeat(3_000)}@127.0.0.1/`, '0.0.0.0'],
    [`http://${Array.from({ length: 20 }, (_, index) => `a${index}`).join('@')}/`, '0.0.0.0'],
    ['http://127.0.0.1\u0000/', '127.0.0.1'],
    ['http://127.0.0.1 /', '127.0.0.1'],
  ])('reads %j as %s', (text, address) => {
    expect(addressesOf(text).concat(undefined)).toContain(address);
  });

  it('keeps name, port and scheme of a host', () => {
    expect(hostsOfAddress('https://Pictures.Example./a')).toEqual([
      { name: 'pictures.example', address: undefined, port: 443, scheme: 'https:' },
    ]);
    expect(hostsOfAddress('http://ollama.lan:11434')).toEqual([
      { name: 'ollama.lan', address: undefined, port: 11_434, scheme: 'http:' },
    ]);
    expect(hostsOfAddress('http://8.8.8.8/a?u=http://127.0.0.1/')).toEqual([
      { name: '8.8.8.8', address: '8.8.8.8', port: 80, scheme: 'http:' },
    ]);
  });

  it.each([
    '',
    'data:image/png;base64,AAAA',
    'DATA:,127.0.0.1',
    'iVBORw0KGgo=',
    '/9j/4AAQ',
    '//uQxAAA/Zm9v',
    '7',
    '2130706433',
    'a picture',
    'file-abc',
    'cat.png',
    'folder/127/cat',
    'a word, another; and one more. (And "two" others)',
    'gs://bucket/127.0.0.1',
    'libexample.so.1',
    'report v1.2',
  ])('finds no address of this machine in %j', (text) => {
    expect(addressesOf(text).filter((address) => address !== undefined)).toEqual([]);
  });

  it('reads a hostile text in one pass', () => {
    const texts = [
      ' '.repeat(8_000) + 'x',
      'http://' + '@'.repeat(2_000),
      '%'.repeat(8_000),
      'http://' + '%25'.repeat(600),
    ];
    const before = process.cpuUsage().user;
    for (const text of texts) expect(addressesOf(text)).not.toContain('127.0.0.1');
    expect(process.cpuUsage().user - before).toBeLessThan(200_000);
  });
});
