import type { ConnectionError } from 'fastify';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { answerParserFault, faultBody } from './framework-errors.js';

/** Bytes written to a connection, and its end. */
function answered(error: object, state: { writable?: boolean; destroyed?: boolean } = {}) {
  let written = '';
  let isEnded = false;
  const socket = {
    writable: true,
    destroyed: false,
    ...state,
    write: (text: string) => (written += text),
    destroy: () => (isEnded = true),
  };
  answerParserFault(error as ConnectionError, socket as unknown as Socket);
  return { written, isEnded };
}

describe('answerParserFault', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 431, 'head_too_large'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'body_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_late'],
    ['HPE_INVALID_METHOD', 400, 'request_unreadable'],
    ['constructor', 400, 'request_unreadable'],
  ])('answers %s with %i and ends the connection', (code, status, refusal) => {
    const { written, isEnded } = answered({ code, rawPacket: Buffer.from('GET /api/status HTTP/1.1\r\n') });
    const [head = '', body = ''] = written.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toMatchObject({ success: false, code: refusal });
    expect(isEnded).toBe(true);
  });

  it.each([
    ['POST /v1/chat/completions?key=secret HTTP/1.1\r\n', true],
    ['POST /v1', true],
    ['GET /api/status HTTP/1.1\r\n', false],
    ['\u0016\u0003\u0001', false],
    [`${'X'.repeat(300)} /v1/models`, false],
  ])('answers %j in the shape of its prefix', (packet, isRelay) => {
    const { written } = answered({ code: 'HPE_INVALID_TOKEN', rawPacket: Buffer.from(packet) });
    expect('error' in JSON.parse(written.split('\r\n\r\n')[1] ?? '')).toBe(isRelay);
    expect(written).not.toContain('secret');
  });

  it('writes nothing to a client that is gone', () => {
    expect(answered({ code: 'ECONNRESET' })).toEqual({ written: '', isEnded: false });
    expect(answered({ code: 'HPE_INVALID_METHOD' }, { destroyed: true })).toEqual({
      written: '',
      isEnded: false,
    });
    expect(answered({ code: 'HPE_INVALID_METHOD' }, { writable: false })).toEqual({
      written: '',
      isEnded: true,
    });
  });
});

describe('faultBody', () => {
  it('answers callers of models in the shape of OpenAI and all others in that of the console API', () => {
    expect(JSON.parse(faultBody('/v1/models?x=1', 'no'))).toEqual({
      error: { message: 'no', type: 'invalid_request_error', param: null, code: 'invalid_request' },
    });
    expect(JSON.parse(faultBody('', 'no'))).toEqual({
      success: false,
      message: 'no',
      code: 'address_unreadable',
    });
  });
});
