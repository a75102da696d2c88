import { describe, expect, it } from '@jest/globals';
import { parsePrivateHost } from './private-hosts.js';

describe('parsePrivateHost', () => {
  it.each([
    ['ollama', 'name', 'usual'],
    ['Ollama.LAN.:8080', 'name', 8080],
    ['host.docker.internal:*', 'name', 'all'],
    ['*.lan', 'suffix', 'usual'],
    ['*.lan:443', 'suffix', 443],
    ['10.0.0.0/8', 'range', 'usual'],
    ['10.0.0.0/8:11434', 'range', 11_434],
    ['10.0.0.7:*', 'range', 'all'],
    ['::1', 'range', 'usual'],
    ['[::1]', 'range', 'usual'],
    ['[::1]:8080', 'range', 8080],
    ['fd00::/8', 'range', 'usual'],
    ['fd00::/8:8080', 'range', 8080],
    ['[fd00::]/8:8080', 'range', 8080],
    ['::ffff:10.0.0.0/104', 'range', 'usual'],
  ] as const)('reads %s as a %s at ports: %s', (entry, kind, ports) => {
    expect(parsePrivateHost(entry)).toMatchObject({ kind, ports });
  });

  it.each([
    '',
    ':80',
    'host:',
    'host:0',
    'host:65536',
    'host:http',
    'host:80:80',
    'http://host',
    'host/path',
    '10.0.0.300',
    '10.0.0.0/33',
    '127.1',
    '2130706433',
    '0x7f.1',
    'fd00::/129',
    '[fd00::1',
    'host/8',
    '*',
    '*.',
    'a b',
    'host:*:80',
    '[host]:80',
    '10.0.0.1/',
  ])('refuses %j', (entry) => {
    expect(parsePrivateHost(entry)).toBeUndefined();
  });
});
