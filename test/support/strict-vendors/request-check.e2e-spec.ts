import { describe, expect, it } from '@jest/globals';
import { ScriptedVendor as MediaVendor, answerJson } from '../../e2e/vendors/media/scripted-vendor.js';
import { ScriptedVendor as TaskVendor } from '../../e2e/gateway/tasks/scripted-vendor.js';
import { json, VendorServer } from '../../e2e/vendors/vendor-server.js';
import { FakeUpstream } from '../fake-upstream.js';
import { refusalOf } from './request-check.js';
import type { Json } from './story.js';

/** Methods that every mock of a vendor has. */
interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

const NOVA = '/model/amazon.nova-pro-v1%3A0/converse';
const CLAUDE = '/model/us.anthropic.claude-opus-4-8/invoke';
const GEMINI = '/v1beta/models/gemini-2.5-flash:generateContent';

/** Refused requests by the address of a format, with the vendor's message. */
const REFUSED: Readonly<Record<string, readonly [body: Json, words: RegExp]>> = {
  '/v1/chat/completions': [
    { model: 'fx-json', messages: [{ role: 'user', content: 'x' }], extra_body: {} },
    /extra_body/,
  ],
  '/v1/responses': [{ model: 'fx-json', input: 'x', messages: [] }, /messages/],
  '/v1/messages': [{ model: 'fx-json', messages: [{ role: 'user', content: 'x' }] }, /max_tokens/],
  [GEMINI]: [{ contents: [{ role: 'user', parts: [{ text: 'x', type: 'text' }] }] }, /type/],
  [NOVA]: [{ messages: [{ role: 'user', content: [{ text: ' ' }] }] }, /blank/],
  [CLAUDE]: [{ max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }, /anthropic_version/],
  '/v2/chat': [{ messages: [{ role: 'tool', content: 'x', tool_call_id: 'y' }] }, /tool_call_id/],
};

const MOCKS: Readonly<Record<string, (isLenient: boolean) => Promise<Mock>>> = {
  FakeUpstream: (isLenient) => FakeUpstream.start({ isLenient }),
  VendorServer: async (isLenient) => {
    const vendor = await VendorServer.start({ isLenient });
    for (const path of Object.keys(REFUSED)) vendor.on(path, json({}));
    return vendor;
  },
  'ScriptedVendor by path': async (isLenient) => {
    const vendor = await MediaVendor.start({ isLenient });
    for (const path of Object.keys(REFUSED))
      vendor.on(path, (_request, response) => answerJson(response, {}));
    return vendor;
  },
  'ScriptedVendor that says one thing': (isLenient) => TaskVendor.start({ isLenient }),
};

const ask = ({ url }: Mock, path: string, body: Json): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });

describe.each(Object.entries(MOCKS))('%s', (_name, start) => {
  it.each(Object.entries(REFUSED))('refuses at %s what its vendor refuses', async (path, [body, words]) => {
    const mock = await start(false);
    const answer = await ask(mock, path, body);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(words)]);
    await expect(mock.close()).rejects.toThrow(words);
  });

  it('takes everything for a test of wrong requests', async () => {
    const mock = await start(true);
    for (const [path, [body]] of Object.entries(REFUSED)) {
      const answer = await ask(mock, path, body);
      expect(await answer.text()).not.toMatch(/Unrecognized|is required|Extra inputs|Unknown name|is blank/);
    }
    await mock.close();
  });
});

const said = (...content: readonly Json[]): Json => ({ messages: [{ role: 'user', content }] });
const used = (use: Json, result: Json = { content: [{ text: 'r' }] }): Json => ({
  toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] },
  messages: [
    { role: 'user', content: [{ text: 'x' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {}, ...use } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'a', ...result } }] },
  ],
});
const PNG = 'iVBORw0KGgoAAAA=';

describe('Bedrock’s Converse', () => {
  it.each<[string, Json, RegExp]>([
    ['an id with other characters', used({ toolUseId: 'a b' }), /toolUseId/],
    ['a name that is too long', used({ name: 'f'.repeat(65) }), /name/],
    ['input that is no object', used({ input: [] }), /json object/],
    ['a result of another call', used({ toolUseId: 'b' }), /Expected toolResult/],
    ['a result that is no object', used({}, { content: [{ json: [1] }] }), /json object/],
    ['a status nobody knows', used({}, { content: [{ text: 'r' }], status: 'ok' }), /status/],
    ['a picture of another format', said({ image: { format: 'bmp', source: { bytes: PNG } } }), /format/],
    ['bytes of another format', said({ image: { format: 'jpeg', source: { bytes: PNG } } }), /not image/],
    [
      'a document without words',
      said({ document: { format: 'txt', name: 'a', source: { bytes: PNG } } }),
      /text block/,
    ],
    [
      'a document with a dot in its name',
      said({ text: 'x' }, { document: { format: 'txt', name: 'a.txt', source: { bytes: PNG } } }),
      /file name/,
    ],
    ['no output', { ...said({ text: 'x' }), inferenceConfig: { maxTokens: 0 } }, /maxTokens/],
    ['too much heat', { ...said({ text: 'x' }), inferenceConfig: { temperature: 1.2 } }, /temperature/],
    ['an empty system', { ...said({ text: 'x' }), system: [{ text: '' }] }, /blank/],
    ['no tools', { ...said({ text: 'x' }), toolConfig: { tools: [] } }, /tools/],
  ])('refuses %s', (_what, body, words) => {
    expect(refusalOf(NOVA, body)?.message).toMatch(words);
  });

  it('accepts well-formed calls, results and images', () => {
    expect(refusalOf(NOVA, used({}))).toBeUndefined();
    expect(refusalOf(NOVA, said({ image: { format: 'png', source: { bytes: PNG } } }))).toBeUndefined();
  });
});
