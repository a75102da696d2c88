import { describe, expect, it } from '@jest/globals';
import type { MessagesToolRules } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { scanObject, type ScannedObject } from '../../framing/json-splice.js';
import { fitMessagesTools } from './fit-messages-tools.js';

const RULES: MessagesToolRules = {
  ownTypes: /^web_search_/,
  members: new Set(['name', 'description', 'input_schema']),
};
const schema = { type: 'object', properties: {} };
const messages = [{ role: 'user', content: 'q' }];

function scanned(body: unknown): ScannedObject {
  const document = scanObject(Buffer.from(JSON.stringify(body)));
  if (typeof document === 'string') throw new Error(document);
  return document;
}

function fitted(body: unknown, rules = RULES): { readonly body: unknown; readonly left: readonly string[] } {
  const warnings: Warning[] = [];
  const written = fitMessagesTools(scanned(body), rules, warnings);
  return { body: JSON.parse(written.toString()), left: warnings.map(({ setting }) => setting) };
}

describe('fitMessagesTools', () => {
  it('leaves members and tools out that the vendor does not have', () => {
    const tools = [
      { type: 'custom', name: 'f', input_schema: schema, defer_loading: true, strict: false },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ];
    expect(fitted({ messages, tools, tool_choice: { type: 'tool', name: 'code_execution' } })).toEqual({
      body: {
        messages,
        tools: [
          { name: 'f', input_schema: schema },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
      },
      left: ['tools.0.defer_loading', 'tools.2', 'tool_choice'],
    });
  });

  it('writes found tools as text', () => {
    const found = (content: unknown): unknown => ({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] }],
    });
    const sent = found([{ type: 'tool_reference', tool_name: 'f' }]);
    expect(fitted(sent).body).toEqual(found([{ type: 'text', text: 'Loaded tool: f' }]));
    expect(fitted(sent, { ...RULES, knowsReferences: true }).body).toEqual(sent);
  });

  it('keeps the buffer of a call that needs nothing', () => {
    const body = scanned({ messages, tools: [{ name: 'f', input_schema: schema }] });
    expect(fitMessagesTools(body, RULES, [])).toBe(body.bytes);
  });
});
