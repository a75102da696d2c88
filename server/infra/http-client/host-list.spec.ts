import { describe, expect, it } from '@jest/globals';
import { HostList } from './host-list.js';

const list = (entries: readonly string[], opensEveryPort = false) =>
  new HostList('users', { entries, opensEveryPort });
const https = (port = 443) => ({ port, scheme: 'https:' });

describe('HostList', () => {
  it('names the variable and the entry that is neither a host nor a range', () => {
    expect(() => list(['10.0.0.0/99'])).toThrow(
      'ALLOWED_PRIVATE_HOSTS_USERS: 10.0.0.0/99 is no host or range',
    );
  });

  it('opens nothing when it is empty', () => {
    expect(list([]).opens('10.1.2.3', '10.1.2.3', https())).toBe(false);
  });

  it.each([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.0.0/16', '10.1.255.255', true],
    ['10.1.0.0/16', '10.2.0.0', false],
    ['10.1.0.0/16', '::ffff:10.1.2.3', true],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '10.1.2.3', false],
    ['10.1.0.0/16', 'no address', false],
  ])('opens by %s the address %s: %p', (entry, address, isOpen) => {
    expect(list([entry]).opens('some.example', address, https())).toBe(isOpen);
  });

  it('opens every address of a host it names, in any letter case, and of no other', () => {
    const named = list(['Ollama.lan']);
    expect(named.opens('ollama.LAN.', '10.9.9.9', https())).toBe(true);
    expect(named.opens('notollama.lan', '10.9.9.9', https())).toBe(false);
    expect(named.opens('ollama.lan.evil.example', '10.9.9.9', https())).toBe(false);
  });

  it('opens the usual ports of the scheme where an entry names none, and only the one it names', () => {
    expect(list(['10.1.2.3']).opens('h', '10.1.2.3', https(8_443))).toBe(false);
    expect(list(['10.1.2.3']).opens('h', '10.1.2.3', { port: 587, scheme: 'smtp:' })).toBe(true);
    expect(list(['10.1.2.3']).opens('h', '10.1.2.3', { port: 80, scheme: 'unheard-of:' })).toBe(false);
    expect(list(['10.1.2.3:8443']).opens('h', '10.1.2.3', https(8_443))).toBe(true);
    expect(list(['10.1.2.3:8443']).opens('h', '10.1.2.3', https())).toBe(false);
    expect(list(['10.1.2.3'], true).opens('h', '10.1.2.3', https(9_999))).toBe(true);
  });

  it('does not take a range for a host that is named', () => {
    expect(list(['10.1.0.0/16']).namesHost('10.1.2.3', https())).toBe(false);
    expect(list(['10.1.2.3']).namesHost('10.1.2.3', https())).toBe(true);
  });
});
