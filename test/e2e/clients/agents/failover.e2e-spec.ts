import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedVendor } from '../../vendors/media/scripted-vendor.js';
import { AWS_STREAM, awsFrame } from '../../../support/aws-frames.js';
import {
  addVendor,
  modelOf,
  openAgentFixture,
  pathsOf,
  API_FORMATS,
  type AgentFixture,
  type FormatName,
} from './agent.fixture.js';
import { EDGE_CLIENTS } from './edge-clients.js';

/** A better channel that answers 200 and nothing useful stands before every vendor of the story. */
let fixture: AgentFixture;
const liars = new Map<FormatName, { readonly vendor: ScriptedVendor; readonly channelId: number }>();
let lie: Lie = 'nothing';

type Lie = 'nothing' | 'an error' | 'half a frame';

beforeAll(async () => {
  fixture = await openAgentFixture();
  await fixture.admin.setOptions({ RetryTimes: 2, AutomaticDisableChannelEnabled: false });
  for (const apiFormat of API_FORMATS) {
    const liar = await ScriptedVendor.start();
    for (const path of pathsOf(apiFormat))
      liar.on(path, (request, response) => {
        const isStreamed = /stream/i.test(path) || request.body.includes('"stream":true');
        answer(apiFormat, isStreamed, response);
      });
    const channelId = await addVendor(fixture.admin, apiFormat, liar.url, { priority: 10 });
    liars.set(apiFormat, { vendor: liar, channelId });
  }
});
afterAll(async () => {
  await fixture?.close();
  for (const { vendor } of liars.values()) await vendor.close();
});

const ERROR = {
  chat: { error: { message: 'overloaded', type: 'server_error', code: null, param: null } },
  thinker: { error: { message: 'overloaded', type: 'server_error', code: null, param: null } },
  responses: { type: 'error', code: 'server_error', message: 'overloaded', param: null, sequence_number: 0 },
  messages: { type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } },
  gemini: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } },
  bedrock: { message: 'overloaded' },
} as const satisfies Readonly<Record<FormatName, unknown>>;

function answer(apiFormat: FormatName, isStreamed: boolean, response: ServerResponse): void {
  const isAws = apiFormat === 'bedrock' && isStreamed;
  response.writeHead(200, {
    'content-type': isAws ? AWS_STREAM : isStreamed ? 'text/event-stream' : 'application/json',
  });
  const json = JSON.stringify(ERROR[apiFormat]);
  const event =
    apiFormat === 'messages' || apiFormat === 'responses'
      ? `event: error\ndata: ${json}\n\n`
      : `data: ${json}\n\n`;
  const error = isAws
    ? awsFrame('modelStreamErrorException', ERROR.bedrock, 'exception')
    : Buffer.from(isStreamed ? event : json);
  if (lie === 'nothing') response.end();
  else response.end(lie === 'an error' ? error : error.subarray(0, error.length / 2));
}

const CASES = Object.keys(EDGE_CLIENTS).flatMap((client) =>
  API_FORMATS.flatMap((apiFormat) =>
    (['nothing', 'an error', 'half a frame'] as const).map((said) => ({ client, apiFormat, said })),
  ),
);

describe('a 200 with nothing, an error, or half an answer goes to the next channel (known pains 23, 25)', () => {
  it.each(CASES)('$client over $apiFormat: $said', async ({ client, apiFormat, said }) => {
    lie = said;
    const liar = liars.get(apiFormat);
    if (liar === undefined) throw new Error(`no liar for ${apiFormat}`);
    const asked = liar.vendor.requests.length;
    const vendor = fixture.vendors[apiFormat];
    vendor.forget();
    fixture.wake(liar.channelId);
    const clientRoute = { url: fixture.url, key: fixture.key, model: modelOf(apiFormat) };
    await EDGE_CLIENTS[client]?.whole(clientRoute);
    // The circuit of a failed channel is open; here it has to be called again at once.
    fixture.wake(liar.channelId);
    let pieces = 0;
    await EDGE_CLIENTS[client]?.stream(clientRoute, () => (pieces += 1), new AbortController().signal);
    expect(pieces).toBeGreaterThan(0);
    expect(vendor.understood).toHaveLength(2);
    expect(vendor.refusals).toEqual([]);
    expect(liar.vendor.requests.length - asked).toBe(2);
  });
});
