import { describe, expect, it } from '@jest/globals';
import { callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { anthropic } from '../../dialects/anthropic.js';
import { withSeenMediaTypes } from './seen-media-types.js';

const base64 = (text: string) => Buffer.from(text.padEnd(60, '.'), 'latin1').toString('base64');
const PNG = base64('\x89PNG\r\n\x1a\n');
const JPEG = base64('\xff\xd8\xff\xe0');
const PDF = base64('%PDF-1.7');
const mended = (text: string) => withSeenMediaTypes(Buffer.from(text)).toString();

describe('a picture of a conversation that passes untouched', () => {
  it.each([
    ['behind its type', (type: string) => `{"type":"base64","media_type":"${type}","data":"${PNG}"}`],
    ['before its type', (type: string) => `{"type":"base64","data":"${PNG}","media_type":"${type}"}`],
    ['with spaces', (type: string) => `{ "media_type" : "${type}" , "data" : "${PNG}" }`],
    ['before it, with spaces', (type: string) => `{ "data" : "${PNG}" , "media_type" : "${type}" }`],
  ])('gets the type its bytes have: %s', (_where, source) => {
    for (const said of ['image/jpeg', 'image/jpg', 'application/octet-stream', 'image/*'])
      expect(mended(source(said))).toBe(source('image/png'));
    expect(mended(`[${source('image/jpeg')},"é",${source('image/webp')}]`)).toBe(
      `[${source('image/png')},"é",${source('image/png')}]`,
    );
  });

  it.each([
    `{"media_type":"image/png","data":"${PNG}"}`,
    `{"media_type":"application/pdf","data":"${PNG}"}`,
    `{"media_type":"image/png","data":"${PDF}"}`,
    `{"media_type":"image/png","data":"short"}`,
    `{"media_type":"image/png","data":"bm90IGEgcGljdHVyZSBhdCBhbGwsIGp1c3Qgd29yZHM="}`,
    `{"data":"${JPEG}","other":"x","media_type":"image/png"}`,
    '{"media_type":"image/png"}',
    '{"text":"\\"media_type\\":\\"image/png\\",\\"data\\":\\"x\\""}',
  ])('leaves all else as it is: %.60s', (text) => {
    const body = Buffer.from(text);
    expect(withSeenMediaTypes(body)).toBe(body);
  });

  it('leaves with it, unless the operator wants bytes as they came', async () => {
    const source = (media_type: string) => ({ type: 'base64', media_type, data: PNG });
    const ask = async (passThrough: boolean) => {
      const ports = new MemoryPorts();
      await callCore(ports, {
        dialect: anthropic,
        path: '/v1/messages',
        body: {
          model: 'gpt-test',
          max_tokens: 9,
          messages: [{ role: 'user', content: [{ type: 'image', source: source('image/jpeg') }] }],
        },
        route: { channelType: 14, settings: { passThrough } },
        script: (upstream) => void upstream.json(500, {}),
      });
      return JSON.stringify(ports.sender.exchanges[0]?.body);
    };
    expect(await ask(false)).toContain(JSON.stringify(source('image/png')));
    expect(await ask(true)).toContain(JSON.stringify(source('image/jpeg')));
  });
});
