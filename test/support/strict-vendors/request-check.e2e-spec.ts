import { describe, expect, it } from '@jest/globals';
import { ScriptedVendor as MediaVendor, answerJson } from '../../e2e/vendors/media/scripted-vendor.js';
import { ScriptedVendor as TaskVendor } from '../../e2e/tasks/scripted-vendor.js';
import { json, VendorServer } from '../../e2e/vendors/vendor-server.js';
import { FakeUpstream } from '../fake-upstream.js';
import type { Json } from './story.js';

/** What every mock of a vendor has. */
interface Mock {
  readonly url: string;
  close(): Promise<void>;
}

const NOVA = '/model/amazon.nova-pro-v1%3A0/converse';
const CLAUDE = '/model/us.anthropic.claude-opus-4-8/invoke';
const GEMINI = '/v1beta/models/gemini-2.5-flash:generateContent';

/** By the address of a format: a request its vendor refuses, and its word for it. */
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
