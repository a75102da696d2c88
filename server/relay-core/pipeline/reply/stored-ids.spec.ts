import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { ADDRESS_KEYS } from '../../framing/scan-flags.js';
import { ID_FIELDS, idsLeaving, MAX_STORED_IDS, type StoredId, storedIdsIn } from './stored-ids.js';

function found(body: unknown, apiFormat: string): readonly StoredId[] {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const scanned = scanObject(bytes);
  if (typeof scanned === 'string') throw new Error(scanned);
  return storedIdsIn(scanned, apiFormat);
}
const named = (body: unknown, apiFormat: string): string[] =>
  found(body, apiFormat).map(({ kind, id }) => `${kind} ${id}`);

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const asked = (...input: unknown[]) => ({ input });

describe('ids of things kept at the vendor', () => {
  it.each<[apiFormat: string, body: object, expected: readonly string[]]>([
    ['openai-responses', { previous_response_id: 'resp_1', input: 'x' }, ['response resp_1']],
    ['openai-responses', { conversation: 'conv_1', input: 'x' }, ['conversation conv_1']],
    ['openai-responses', { conversation: { id: 'conv_1' }, input: 'x' }, ['conversation conv_1']],
    ['openai-responses', { prompt: { id: 'pmpt_1', version: '2' } }, ['prompt pmpt_1']],
    [
      'openai-responses',
      { prompt: { id: 'pmpt_1', variables: { a: { type: 'input_file', file_id: 'file-1' } } } },
      ['file file-1', 'prompt pmpt_1'],
    ],
    ['openai-responses', asked({ type: 'item_reference', id: 'msg_1' }), ['item msg_1']],
    ['openai-responses', asked({ id: 'msg_1' }), ['item msg_1']],
    ['openai-responses', asked({ id: 'rs_1', type: 'reasoning', summary: [] }), ['item rs_1']],
    [
      'openai-responses',
      asked({ type: 'reasoning', id: 'rs_1', summary: [{ text: 'x' }], encrypted_content: '' }),
      ['item rs_1'],
    ],
    ['openai-responses', asked({ type: 'image_generation_call', id: 'ig_1' }), ['item ig_1']],
    [
      'openai-responses',
      asked({ type: 'image_generation_call', id: 'ig_1', result: null, status: 'completed' }),
      ['item ig_1'],
    ],
    [
      'openai-responses',
      asked({ type: 'message', role: 'assistant', id: 'msg_1', content: [] }),
      ['item msg_1'],
    ],
    [
      'openai-responses',
      asked({ type: 'code_interpreter_call', id: 'ci_1', code: 'x', container_id: 'cntr_1', outputs: null }),
      ['container cntr_1'],
    ],
    [
      'openai-responses',
      asked({ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }),
      ['file file-1'],
    ],
    [
      'openai-responses',
      asked({ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }),
      ['file file-1'],
    ],
    [
      'openai-responses',
      asked({
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_file', file_id: 'file-1' }],
      }),
      ['file file-1'],
    ],
    [
      'openai-responses',
      asked({
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', file_id: 'file-1' },
      }),
      ['file file-1'],
    ],
    [
      'openai-responses',
      { input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'] }] },
      ['vector-store vs_1', 'vector-store vs_2'],
    ],
    [
      'openai-responses',
      { input: 'x', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
      ['container cntr_1'],
    ],
    [
      'openai-responses',
      {
        input: 'x',
        tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }],
      },
      ['file file-1'],
    ],
    [
      'openai-responses',
      { input: 'x', tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }] },
      ['file file-1'],
    ],
    [
      'openai-responses',
      {
        input: 'x',
        tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } }],
      },
      ['container cntr_1'],
    ],
    [
      'openai-responses',
      {
        input: 'x',
        tools: [
          { type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 'skill_1' }] } },
        ],
      },
      ['skill skill_1'],
    ],
    ['openai-responses', { input: 'x', tools: [{ type: 'mcp', tunnel_id: 'tun_1' }] }, ['tunnel tun_1']],
    ['openai-chat', user([{ type: 'file', file: { file_id: 'file-1' } }]), ['file file-1']],
    ['openai-chat', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }, ['audio audio_1']],
    ['openai-chat', { ...user('x'), audio: { format: 'wav', voice: { id: 'voice_1' } } }, ['voice voice_1']],
    [
      'openai-chat',
      { ...user('x'), extra_body: { google: { cached_content: 'cachedContents/1' } } },
      ['cache cachedContents/1'],
    ],
    ['openai-speech', { input: 'x', voice: { id: 'voice_1' } }, ['voice voice_1']],
    [
      'openai-image-edits',
      { prompt: 'x', images: [{ file_id: 'file-1' }], mask: { file_id: 'file-2' } },
      ['file file-1', 'file file-2'],
    ],
    ['anthropic-messages', { ...user('x'), container: 'container_1' }, ['container container_1']],
    [
      'anthropic-messages',
      {
        ...user('x'),
        container: { id: 'container_1', skills: [{ type: 'custom', skill_id: 'skill_1', version: '1' }] },
      },
      ['skill skill_1', 'container container_1'],
    ],
    ['anthropic-messages', user([{ type: 'container_upload', file_id: 'file_1' }]), ['file file_1']],
    [
      'anthropic-messages',
      user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }]),
      ['file file_1'],
    ],
    [
      'anthropic-messages',
      user([
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }],
        },
      ]),
      ['file file_1'],
    ],
    [
      'anthropic-messages',
      { ...user('x'), diagnostics: { previous_message_id: 'msg_1' } },
      ['message msg_1'],
    ],
    ['gemini-generate', { contents: [], cachedContent: 'cachedContents/1' }, ['cache cachedContents/1']],
    ['gemini-generate', { contents: [], cached_content: 'cachedContents/1' }, ['cache cachedContents/1']],
    [
      'gemini-generate',
      {
        contents: [
          { parts: [{ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }] },
        ],
      },
      ['file https://generativelanguage.googleapis.com/v1beta/files/a'],
    ],
    [
      'gemini-generate',
      { contents: [{ parts: [{ file_data: { file_uri: 'files/a' } }] }] },
      ['file files/a'],
    ],
    [
      'gemini-generate',
      { contents: [], tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] },
      ['vector-store fileSearchStores/1'],
    ],
    [
      'gemini-generate',
      { contents: [], tools: [{ retrieval: { vertexAiSearch: { datastore: 'projects/p/d' } } }] },
      ['corpus projects/p/d'],
    ],
    [
      'gemini-generate',
      {
        contents: [],
        tools: [{ retrieval: { vertexRagStore: { ragResources: [{ ragCorpus: 'c', ragFileIds: ['f'] }] } } }],
      },
      ['corpus c', 'file f'],
    ],
  ])('%s: %j', (apiFormat, body, expected) => {
    expect(named(body, apiFormat)).toEqual(expected);
    // An unlisted format is searched for everything.
    expect(named(body, apiFormat === 'openai-responses' ? apiFormat : 'another')).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['a voice that was made', { voice: 'speech:mine:abc:def' }, 'voice speech:mine:abc:def'],
    ['a voice by its id', { voice: ' voice_1' }, 'voice  voice_1'],
    [
      'a search engine of Google',
      { tools: [{ retrieval: { vertexAiSearch: { engine: 'projects/p/engines/e' } } }] },
      'corpus projects/p/engines/e',
    ],
    ...[
      'https://generativelanguage.googleapis.com:443/v1beta/files/a',
      'https://user@generativelanguage.mtls.googleapis.com/v1beta/files/a',
      ' HTTPS://GENERATIVELANGUAGE.GOOGLEAPIS.COM/v1beta/files/a',
      'v1beta/files/a',
    ].map((uri): [string, object, string] => [uri, { fileData: { fileUri: uri } }, `file ${uri}`]),
  ])('%s is found', (_name, body, expected) => {
    expect(named(body, 'another')).toEqual([expected]);
  });

  it.each(ADDRESS_KEYS)(
    'finds addresses in %s that only the vendor opens, however they are written',
    (member) => {
      const at = (written: string): string =>
        `{"messages":[{"content":[{"a":{ "${member}" : ${written} }}]}]}`;
      for (const address of [
        'ms://file-1',
        'MS://file-1',
        'file:///etc/passwd',
        'file:/etc/passwd',
        'oss://a/b',
      ])
        expect(named(at(JSON.stringify(address)), 'another')).toEqual([`address ${address}`]);
      for (const written of [
        '"\\u006ds:\\/\\/file-1"',
        '"  ms://file-1"',
        '"\\tm\\ns://file-1"',
        `"${' '.repeat(600)}ms://file-1"`,
        `"ms://file-1${'a'.repeat(600)}"`,
        '["ms://file-1"]',
        '"https","${member}":"ms://file-1"'.replace('${member}', member),
      ])
        expect([written, found(at(written), 'another').map(({ kind }) => kind)]).toEqual([
          written,
          ['address'],
        ]);
      for (const open of [
        'https://example.org/ms://',
        'HTTP://example.org',
        'data:image/png;base64,AA',
        'iVBORw0K',
      ])
        expect(named(at(JSON.stringify(open)), 'another')).toEqual([]);
    },
  );

  it.each(Object.entries(ID_FIELDS))('%s is found at any depth', (member, kind) => {
    const id =
      kind === 'skill'
        ? 'skill_1'
        : /uri$/i.test(member)
          ? 'files/1'
          : member === 'engine'
            ? 'projects/1'
            : 'id_1';
    expect(named({ a: [{ b: { [member]: [id] } }] }, 'another')).toEqual([`${kind} ${id}`]);
    expect(named({ a: [{ b: { [member]: id } }] }, 'another')).toEqual([`${kind} ${id}`]);
  });

  it.each<[string, string, string]>([
    ['a key with escapes', '{"input":[{"content":[{"file\\u005fid":"file-1"}]}]}', 'file file-1'],
    ['a value with escapes', '{"previous_response_id":"resp\\u005f1","input":"x"}', 'response resp_1'],
    ['blanks', '{ "previous_response_id" :\n "resp_1", "input":"x"}', 'response resp_1'],
    [
      'a member given twice',
      '{"input":[{"content":[{"file_id":"file-1","file_id":"file-1"}]}]}',
      'file file-1',
    ],
    [
      'a type given twice',
      '{"input":[{"type":"item_reference","type":"message","id":"msg_1","content":"x"}]}',
      'item msg_1',
    ],
    [
      'a type that is told again, beside another',
      '{"input":[{"type":"code_execution_tool_result","type":"input_file","file_id":"file-1"}]}',
      'file file-1',
    ],
    [
      'a type with escapes',
      '{"input":[{"type":"item\\u005freference","id":"msg_1","more":"x"}]}',
      'item msg_1',
    ],
    ['a member nobody knows', '{"input":[{"id":"msg_1","more":"x"}]}', 'item msg_1'],
    [
      'an empty list',
      '{"input":[{"type":"message","id":"msg_1","role":"user","phase":"x","content":[ ]}]}',
      'item msg_1',
    ],
  ])('%s hides none', (_name, body, expected) => {
    expect(named(body, 'openai-responses')).toContain(expected);
  });

  it('reads no more of them than one look-up takes', () => {
    const input = Array.from({ length: MAX_STORED_IDS + 50 }, (_, index) => ({
      type: 'item_reference',
      id: `msg_${index}`,
    }));
    expect(found({ input }, 'openai-responses').length).toBe(MAX_STORED_IDS + 1);
  });

  it('counts only those that leave', () => {
    const ids = found(
      { previous_response_id: 'resp_1', input: [{ type: 'item_reference', id: 'msg_1' }] },
      'openai-responses',
    );
    expect(idsLeaving(ids, Buffer.from('{"messages":[{"content":"msg_1"}]}')).map(({ id }) => id)).toEqual([
      'msg_1',
    ]);
    const escaped = found('{"previous_response_id":"resp\\u005f1","input":"x"}', 'openai-responses');
    expect(idsLeaving(escaped, Buffer.from('{"previous_response_id":"resp\\u005f1"}'))).toHaveLength(1);
  });
});
