import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';

type Json = Record<string, unknown>;

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const inChat = (response_format: unknown): Json => ({ response_format });
const inResponses = (format: unknown): Json => ({ text: { format } });
const inMessages = (format: unknown): Json => ({ output_config: { format } });

const UNREADABLE: readonly (readonly [api: string, body: Json, param: string])[] = [
  ['chat', inChat({ type: 'json_schema', json_schema: schema }), 'response_format.json_schema.schema'],
  ['chat', inChat({ type: 'json_schema', json_schema: { name: 'n' } }), 'response_format.json_schema.schema'],
  ['chat', inChat({ type: 'json_schema', schema }), 'response_format.json_schema.schema'],
  ['chat', inChat({ type: 'grammar', grammar: 'root ::= "a"' }), 'response_format.type'],
  [
    'responses',
    inResponses({ type: 'json_schema', name: 'n', json_schema: { schema } }),
    'text.format.schema',
  ],
  ['responses', inResponses({ type: 'regex', pattern: 'a' }), 'text.format.type'],
  ['messages', inMessages({ type: 'json_schema', json_schema: { schema } }), 'output_config.format.schema'],
  ['messages', { output_format: { type: 'json_schema' } }, 'output_format.schema'],
  ['messages', inMessages({ type: 'grammar' }), 'output_config.format.type'],
];
const READABLE: readonly (readonly [api: string, body: Json])[] = [
  ['chat', inChat({ type: 'json_schema', json_schema: { schema } })],
  ['chat', inChat({ type: 'text' })],
  ['chat', inChat({ type: 'json_object' })],
  ['chat', inChat(null)],
  ['responses', inResponses({ type: 'json_schema', schema })],
  ['responses', { text: {} }],
  ['messages', inMessages({ type: 'json_schema', schema })],
  ['messages', inMessages(null)],
];
const FORMATS = Object.keys(FORMAT_ROUTES);

async function ask(
  name: string,
  more: Json,
  format: string,
): Promise<{ status: number; error: Json; sent: Json[] }> {
  const api = apiNamed(name);
  const sent: Json[] = [];
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: api.path,
    body: { ...api.body(false), ...more },
    route: FORMAT_ROUTES[format] ?? {},
    script: (exchange) => {
      sent.push(exchange.body);
      exchange.head(418, { 'content-type': 'application/json' }).bytes('{}').end();
    },
  });
  return { status: reply.status, error: ((JSON.parse(reply.text) as Json)['error'] ?? {}) as Json, sent };
}

describe('a form of answers that only one vendor could read', () => {
  it.each(UNREADABLE)('%s %j is refused by its place for other vendors', async (api, body, param) => {
    for (const format of FORMATS.filter((one) => one !== api)) {
      const { status, error, sent } = await ask(api, body, format);
      expect([format, status, sent]).toEqual([format, 400, []]);
      expect(error['message']).toContain(`'${param}'`);
    }
    const own = await ask(api, body, api);
    expect(own.sent).toEqual([expect.objectContaining(body)]);
  });

  it.each(READABLE)('%s %j goes to every vendor', async (api, body) => {
    for (const format of FORMATS) {
      const { sent, error } = await ask(api, body, format);
      expect([format, sent.length === 1 ? '' : error['message']]).toEqual([format, '']);
    }
  });
});
