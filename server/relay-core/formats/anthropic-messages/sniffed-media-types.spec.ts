import { describe, expect, it } from '@jest/globals';
import { callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { anthropic } from '../../dialects/anthropic.js';
import { withSniffedMediaTypes } from './splice-request.js';

const base64 = (text: string) => Buffer.from(text.padEnd(60, '.'), 'latin1').toString('base64');
const PNG = base64('\x89PNG\r\n\x1a\n');
const JPEG = base64('\xff\xd8\xff\xe0');
const PDF = base64('%PDF-1.7');
const mended = (text: string) => withSniffedMediaTypes(Buffer.from(text)).toString();
const asked = (content: string) => `{"model":"m","messages":[{"role":"user","content":${content}}]}`;
const picture = (source: string) => `{"type":"image","source":${source}}`;

describe('a picture of a conversation that passes untouched', () => {
  it.each([
    ['behind its type', (type: string) => `{"type":"base64","media_type":"${type}","data":"${PNG}"}`],
    ['before its type', (type: string) => `{"type":"base64","data":"${PNG}","media_type":"${type}"}`],
    ['with spaces', (type: string) => `{ "media_type" : "${type}" , "data" : "${PNG}" }`],
    [
      'with members between them',
      (type: string) => `{ "data" : "${PNG}" ,"type":"base64", "media_type" : "${type}" }`,
    ],
  ])('gets the type its bytes have: %s', (_where, source) => {
    for (const said of ['image/jpeg', 'image/jpg', 'application/octet-stream', 'image/*'])
      expect(mended(asked(`[${picture(source(said))}]`))).toBe(asked(`[${picture(source('image/png'))}]`));
    const both = (one: string, other: string) =>
      asked(`[${picture(source(one))},{"type":"text","text":"é"},${picture(source(other))}]`);
    expect(mended(both('image/jpeg', 'image/webp'))).toBe(both('image/png', 'image/png'));
  });

  const source = (type: string) => `{"type":"base64","media_type":"${type}","data":"${PNG}"}`;

  it.each([
    [
      'in a result',
      (one: string) => `[{"type":"tool_result","tool_use_id":"t","content":[${picture(one)}]}]`,
    ],
    [
      'in a document of blocks',
      (one: string) => `[{"type":"document","source":{"type":"content","content":[${picture(one)}]}}]`,
    ],
  ])('gets it %s', (_where, content) => {
    expect(mended(asked(content(source('image/jpeg'))))).toBe(asked(content(source('image/png'))));
  });

  it.each([
    `{"type":"tool_use","id":"t","name":"n","input":${source('image/jpeg')}}`,
    `{"type":"tool_use","id":"t","name":"n","input":{"source":${source('image/jpeg')},"content":[${picture(source('image/jpeg'))}]}}`,
    `{"type":"text","text":"x","cache_control":${source('image/jpeg')}}`,
    source('image/jpeg'),
    JSON.stringify({ type: 'text', text: picture(source('image/jpeg')) }),
  ])('leaves what stands where no picture does: %.40s', (block) => {
    const body = Buffer.from(asked(`[${block}]`));
    expect(withSniffedMediaTypes(body)).toBe(body);
    const elsewhere = Buffer.from(`{"metadata":[${block}],"messages":"x"}`);
    expect(withSniffedMediaTypes(elsewhere)).toBe(elsewhere);
  });

  it.each([
    `{"media_type":"image/png","data":"${PNG}"}`,
    `{"media_type":"application/pdf","data":"${PNG}"}`,
    `{"media_type":"image/png","data":"${PDF}"}`,
    `{"media_type":"image/png","data":"short"}`,
    `{"media_type":"image/png","data":"bm90IGEgcGljdHVyZSBhdCBhbGwsIGp1c3Qgd29yZHM="}`,
    `{"media_type":"image/png","data":["${JPEG}"]}`,
    '{"media_type":"image/png"}',
    `{"data":"${JPEG}"}`,
  ])('leaves a source as it is: %.60s', (one) => {
    const body = Buffer.from(asked(`[${picture(one)}]`));
    expect(withSniffedMediaTypes(body)).toBe(body);
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
