import { describe, expect, it } from '@jest/globals';
import { CONNECT_CLIENTS, connectClient } from './clients';
import type { ConnectInput, ConnectPart } from './connect-client';

const INPUT: ConnectInput = { address: 'https://gateway.test', key: 'sk-theKey', model: 'gpt-4o' };
const NASTY = `it's "a" \\ model`;

const textOf = (part: ConnectPart): string =>
  part.kind === 'fields' ? part.fields.map(({ value }) => value).join('\n') : part.text;
const wholeOf = (parts: readonly ConnectPart[]): string => parts.map(textOf).join('\n');

describe.each(CONNECT_CLIENTS.map((client) => [client.id, client] as const))('%s', (id, client) => {
  const parts = client.parts(INPUT);

  it('names the address and the key, and the key in no command', () => {
    expect(wholeOf(parts)).toContain(INPUT.address);
    expect(wholeOf(parts)).toContain(INPUT.key);
    const commands = parts.filter((part) => part.kind === 'command').map(textOf);
    for (const text of commands) expect(text).not.toContain('sk-');
  });

  it('names the model, or chooses it in the application', () => {
    expect(wholeOf(parts).includes(INPUT.model)).toBe(id !== 'open-webui');
  });

  it('names the tried version, or the source and its date', () => {
    const { evidence } = client;
    if (evidence.kind === 'tested') expect(evidence.version).toMatch(/^[1-9]\d*(\.\d+)*$|^0\.[1-9]\d*\.\d+$/);
    else {
      expect(evidence.day).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
      expect(new URL(evidence.link).protocol).toBe('https:');
    }
  });

  it('writes files that are read back, whatever the name of the model', () => {
    for (const part of client.parts({ ...INPUT, model: NASTY })) {
      if (part.kind !== 'file') continue;
      expect(part.text.endsWith('\n')).toBe(true);
      const strings = part.text.match(/"(?:[^"\\\n]|\\.)*"/g) ?? [];
      for (const text of strings) expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(part.download).not.toMatch(/^\.|[/~]/);
    }
  });
});

describe('connectClient', () => {
  it('gives every client an id of its own, and an unknown id the first client', () => {
    const ids = CONNECT_CLIENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(connectClient('curl').name).toBe('curl');
    expect(connectClient('no such client').id).toBe(ids[0]);
  });
});
