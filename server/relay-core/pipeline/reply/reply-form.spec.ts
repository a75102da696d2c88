import { describe, expect, it } from '@jest/globals';
import type { Operation } from '../../model/operation.js';
import type { RelayInput } from '../context/attempt.js';
import { mediaType, replyForm, replyFormByBytes } from './reply-body.js';

interface Given {
  readonly asked?: boolean;
  readonly framing?: string;
  readonly streams?: boolean;
  readonly isFile?: boolean;
  readonly reply?: 'bytes' | 'translate';
}

const input = ({ asked = false, framing, streams = true, isFile = false, reply = 'bytes' }: Given) =>
  ({
    clientCall: { parsed: { shape: { stream: asked } } },
    translated: {
      plan: { reply },
      operation: {
        apiFormat: {
          ...(streams ? { openReplyReader: () => undefined } : {}),
          ...(isFile ? { replyForm: 'bytes' } : {}),
          ...(framing === undefined ? {} : { framingOf: () => framing }),
        },
      },
    },
  }) as unknown as RelayInput<Operation>;

const SSE = 'text/event-stream; charset=utf-8';

describe('replyForm', () => {
  it.each<[Given, string | undefined, string]>([
    [{}, 'application/json', 'whole'],
    [{}, SSE, 'stream'],
    [{ asked: true }, 'Text/Event-Stream', 'stream'],
    [{ asked: true }, undefined, 'stream'],
    [{ asked: true }, 'text/plain', 'stream'],
    [{ asked: true }, 'application/problem+json', 'whole'],
    [{ asked: true }, 'audio/mpeg', 'whole'],
    [{ streams: false, asked: true }, SSE, 'whole'],
    [{ framing: 'json-lines', asked: true }, 'application/json', 'stream'],
    [{ framing: 'json-lines' }, 'application/x-ndjson', 'whole'],
    [{ framing: 'json-array', asked: true }, 'application/json', 'stream'],
    [{ framing: 'aws-event-stream' }, 'application/vnd.amazon.eventstream', 'stream'],
    [{ framing: 'aws-event-stream', asked: true }, 'application/json', 'whole'],
    [{ isFile: true }, 'audio/mpeg', 'media'],
    [{ isFile: true }, undefined, 'media'],
    [{ isFile: true }, 'application/json', 'whole'],
    [{ isFile: true, reply: 'translate' }, 'audio/mpeg', 'whole'],
    [{ isFile: true, asked: true }, 'audio/mpeg', 'whole'],
  ])('takes a reply to %j of the type %p for %s', (given, type, form) => {
    expect(replyForm(input(given), type)).toBe(form);
  });
});

describe('replyFormByBytes', () => {
  it.each<[Given, Parameters<typeof replyFormByBytes>[1], string, string | undefined]>([
    [{}, 'stream', '{"error":{}}', 'whole'],
    [{}, 'stream', '<html>', 'whole'],
    [{}, 'stream', 'data: {}\n\n', undefined],
    [{}, 'whole', 'data: {}\n\n', 'stream'],
    [{}, 'whole', '\ufeff\n: comment\n', 'stream'],
    [{}, 'whole', '{"data": 1}', undefined],
    [{}, 'whole', 'database: down', undefined],
    [{ streams: false }, 'whole', 'data: {}', undefined],
    [{ framing: 'json-lines' }, 'whole', 'data: {}', undefined],
    [{ isFile: true }, 'media', '{"error":{}}', 'whole'],
    [{ isFile: true }, 'media', 'ID3\u0004', undefined],
    [{}, 'waiting', '{', undefined],
    [{}, 'failure', 'data: {}', undefined],
  ])('reads of %j as %s, by %j: %p', (given, form, bytes, expected) => {
    expect(replyFormByBytes(input(given), form, Buffer.from(bytes))).toBe(expected);
  });
});

describe('mediaType', () => {
  it.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['Image/PNG', 'image/png'],
    ['audio/pcm; rate=24000;channels=1', 'audio/pcm; rate=24000;channels=1'],
    [undefined, 'audio/asked'],
    ['', 'audio/asked'],
    ['application/octet-stream', 'audio/asked'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/html', 'application/octet-stream'],
    ['audio/mpeg\r\nset-cookie: a=b', 'application/octet-stream'],
    [['audio/mpeg', 'text/html'], 'application/octet-stream'],
  ])('names a file of the type %j %s', (header, named) => {
    expect(mediaType(header, 'audio/asked')).toBe(named);
  });
});
