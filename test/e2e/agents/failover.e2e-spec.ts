import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedVendor } from '../media/scripted-vendor.js';
import { AWS_STREAM, awsFrame } from '../../support/aws-frames.js';
import {
  addVendor,
  modelOf,
  openAgentHouse,
  pathsOf,
  WIRES,
  type AgentHouse,
  type WireName,
} from './agent-house.js';
import { EDGE_CLIENTS } from './edge-clients.js';

/** A better channel that answers 200 and nothing useful stands before every vendor of the story. */
let house: AgentHouse;
const liars = new Map<WireName, { readonly vendor: ScriptedVendor; readonly channelId: number }>();
let lie: Lie = 'nothing';

type Lie = 'nothing' | 'an error' | 'half a frame';

beforeAll(async () => {
  house = await openAgentHouse();
  await house.admin.setOptions({ RetryTimes: 2, AutomaticDisableChannelEnabled: false });
  for (const wire of WIRES) {
    const liar = await ScriptedVendor.start();
    for (const path of pathsOf(wire))
      liar.on(path, (request, response) => {
        const isStreamed = /stream/i.test(path) || request.body.includes('"stream":true');
        answer(wire, isStreamed, response);
      });
    const channelId = await addVendor(house.admin, wire, liar.url, { priority: 10 });
    liars.set(wire, { vendor: liar, channelId });
  }
});
afterAll(async () => {
  await house?.close();
  for (const { vendor } of liars.values()) await vendor.close();
});

const ERROR = {
  chat: { error: { message: 'overloaded', type: 'server_error', code: null, param: null } },
  thinker: { error: { message: 'overloaded', type: 'server_error', code: null, param: null } },
  responses: { type: 'error', code: 'server_error', message: 'overloaded', param: null, sequence_number: 0 },
  messages: { type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } },
  gemini: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } },
  bedrock: { message: 'overloaded' },
} as const satisfies Readonly<Record<WireName, unknown>>;

function answer(wire: WireName, isStreamed: boolean, response: ServerResponse): void {
  const isAws = wire === 'bedrock' && isStreamed;
  response.writeHead(200, {
    'content-type': isAws ? AWS_STREAM : isStreamed ? 'text/event-stream' : 'application/json',
  });
  const json = JSON.stringify(ERROR[wire]);
  const event =
    wire === 'messages' || wire === 'responses' ? `event: error\ndata: ${json}\n\n` : `data: ${json}\n\n`;
  const error = isAws
    ? awsFrame('modelStreamErrorException', ERROR.bedrock, 'exception')
    : Buffer.from(isStreamed ? event : json);
  if (lie === 'nothing') response.end();
  else response.end(lie === 'an error' ? error : error.subarray(0, error.length / 2));
}

const CASES = Object.keys(EDGE_CLIENTS).flatMap((client) =>
  WIRES.flatMap((wire) =>
    (['nothing', 'an error', 'half a frame'] as const).map((said) => ({ client, wire, said })),
  ),
);

describe('a 200 that says nothing, an error, or half of one is asked of the next channel (known pains 23, 25)', () => {
  it.each(CASES)('$client over $wire: $said', async ({ client, wire, said }) => {
    lie = said;
    const liar = liars.get(wire);
    if (liar === undefined) throw new Error(`no liar for ${wire}`);
    const asked = liar.vendor.requests.length;
    const vendor = house.vendors[wire];
    vendor.forget();
    house.wake(liar.channelId);
    const door = { url: house.url, key: house.key, model: modelOf(wire) };
    await EDGE_CLIENTS[client]?.whole(door);
    // What failed once rests; here it has to be asked again at once.
    house.wake(liar.channelId);
    let pieces = 0;
    await EDGE_CLIENTS[client]?.stream(door, () => (pieces += 1), new AbortController().signal);
    expect(pieces).toBeGreaterThan(0);
    expect(vendor.understood).toHaveLength(2);
    expect(vendor.refusals).toEqual([]);
    expect(liar.vendor.requests.length - asked).toBe(2);
  });
});
