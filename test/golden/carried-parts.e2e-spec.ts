import { describe, expect, it } from '@jest/globals';
import { CHAT_APIS, CHAT_PAIRS, carry } from '../support/chat-formats.js';

/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4 test').toString('base64');
const SOUND = Buffer.from('RIFF\u0010\0\0\0WAVEfmt sound').toString('base64');
const FILM = Buffer.from('\0\0\0\u0018ftypmp42 film').toString('base64');
const TEXT = 'WORDS-TO-CARRY';

type Part = Readonly<Record<string, unknown>>;
type Role = 'user' | 'assistant';

/** One request of each API around parts of the caller's choice. */
const BODIES: Readonly<Record<string, (turns: readonly (readonly [Role, readonly Part[]])[]) => Part>> = {
  'openai-chat': (turns) => ({ messages: turns.map(([role, content]) => ({ role, content })) }),
  'anthropic-messages': (turns) => ({ messages: turns.map(([role, content]) => ({ role, content })) }),
  'openai-responses': (turns) => ({
    input: turns.map(([role, content]) => ({ type: 'message', role, content })),
  }),
  'gemini-generate': (turns) => ({
    contents: turns.map(([role, parts]) => ({ role: role === 'assistant' ? 'model' : role, parts })),
  }),
};
const bodyOf = (api: string, turns: readonly (readonly [Role, readonly Part[]])[]): Part => {
  const body = BODIES[api];
  if (body === undefined) throw new Error(`no conversation of ${api} is known here`);
  return body(turns);
};

const TEXTS: readonly Part[] = [
  { type: 'text', text: TEXT },
  { type: 'input_text', text: TEXT },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: TEXT } },
  { text: TEXT },
];
const PICTURES: readonly Part[] = [
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  { inlineData: { mimeType: 'image/png', data: PIXEL } },
];
const FILES: readonly Part[] = [
  { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
  { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
  { inlineData: { mimeType: 'application/pdf', data: PDF } },
];
const SOUNDS: readonly Part[] = [
  { type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } },
  { inlineData: { mimeType: 'audio/wav', data: SOUND } },
];
const FILMS: readonly Part[] = [
  { type: 'video_url', video_url: { url: `data:video/mp4;base64,${FILM}` } },
  { inlineData: { mimeType: 'video/mp4', data: FILM } },
];
const CALLS: readonly (readonly [call: Part, result: Part])[] = [
  [
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'PLACE' } },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'RESULT' },
  ],
  [
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'PLACE' } },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'RESULT' }] },
  ],
  [
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":"PLACE"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'RESULT' },
  ],
  [
    { functionCall: { name: 'look', id: 'call_1', args: { at: 'PLACE' } } },
    { functionResponse: { name: 'look', id: 'call_1', response: { content: 'RESULT' } } },
  ],
];

/** A part arrives, or the refusal says that this upstream takes no such thing. */
const CASES = CHAT_PAIRS.flatMap((pair) =>
  [
    ...TEXTS.map((part) => ({ part, carried: TEXT })),
    ...PICTURES.map((part) => ({ part, carried: PIXEL })),
    ...FILES.map((part) => ({ part, carried: PDF })),
    ...SOUNDS.map((part) => ({ part, carried: SOUND })),
    ...FILMS.map((part) => ({ part, carried: FILM })),
  ].map(({ part, carried }) => ({
    ...pair,
    part,
    carried,
    kind: `${String(part['type'] ?? Object.keys(part)[0])} ${pair.name}`,
  })),
);

describe('content is carried or refused, whichever API its part belongs to', () => {
  it.each(CASES)('a part $kind', ({ api, format, part, carried }) => {
    const left = carry(api, format, bodyOf(api.id, [['user', [{ type: 'text', text: 'Look:' }, part]]]));
    if ('refusal' in left) expect(left.refusal).toMatch(/takes no|cannot/);
    else expect(JSON.stringify(left.body)).toContain(carried);
    if (carried === TEXT) expect(left).toHaveProperty('body');
  });

  const calls = CHAT_PAIRS.flatMap((pair) =>
    CALLS.map(([call, result]) => ({
      ...pair,
      call,
      result,
      kind: `${String(call['type'] ?? Object.keys(call)[0])} ${pair.name}`,
    })),
  );
  it.each(calls)('a call and its result as $kind', ({ api, format, call, result }) => {
    const body = bodyOf(api.id, [
      ['user', [{ type: 'text', text: 'Look' }]],
      ['assistant', [{ type: 'text', text: 'Looking' }, call]],
      ['user', [result]],
    ]);
    const left = carry(api, format, {
      ...body,
      ...TOOLS[api.id],
    });
    if ('refusal' in left) {
      expect(left.refusal).toMatch(/takes no|cannot|tools/);
      return;
    }
    const written = JSON.stringify(left.body);
    for (const word of ['look', 'PLACE', 'RESULT']) expect(written).toContain(word);
    expect(written).not.toContain('"..."');
  });

  const unknown = CHAT_PAIRS.flatMap((pair) =>
    (['user', 'assistant'] as const).map((role) => ({ ...pair, role, kind: `${role} ${pair.name}` })),
  );
  it.each(unknown)('refuses an unknown part by its path: $kind', ({ api, format, role }) => {
    const strange = { type: 'hologram', hologram: 'x' };
    const left = carry(
      api,
      format,
      bodyOf(api.id, [
        ['user', [{ type: 'text', text: 'Hi' }]],
        [role, [{ type: 'text', text: 'See:' }, strange]],
        ['user', [{ type: 'text', text: 'Well?' }]],
      ]),
    );
    const path = { 'openai-responses': 'input.1.content.1', 'gemini-generate': 'contents.1.parts.1' }[api.id];
    expect(left).toMatchObject({ param: path ?? 'messages.1.content.1' });
  });
});

const PARAMETERS = { type: 'object', properties: { at: { type: 'string' } } };
const TOOLS: Readonly<Record<string, Part>> = {
  'openai-chat': { tools: [{ type: 'function', function: { name: 'look', parameters: PARAMETERS } }] },
  'openai-responses': { tools: [{ type: 'function', name: 'look', parameters: PARAMETERS }] },
  'anthropic-messages': { tools: [{ name: 'look', input_schema: PARAMETERS }] },
  'gemini-generate': { tools: [{ functionDeclarations: [{ name: 'look', parameters: PARAMETERS }] }] },
};

describe('the choice of tools is understood in the object forms of every API', () => {
  const said = (choice: unknown, api: string): Part => ({
    ...bodyOf(api, [['user', [{ type: 'text', text: 'Look' }]]]),
    ...TOOLS[api],
    tool_choice: choice,
  });
  const FORMS = [
    [{ type: 'none' }, 'none'],
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [{ type: 'required' }, 'required'],
    [{ type: 'tool', name: 'look' }, 'look'],
    [{ type: 'function', name: 'look' }, 'look'],
    [{ type: 'function', function: { name: 'look' } }, 'look'],
  ] as const;
  const chosen = CHAT_PAIRS.filter(({ format }) => format.id === 'openai-chat');
  const others = CHAT_PAIRS.filter(({ format }) => format.id === 'anthropic-messages');
  it.each(
    [...chosen, ...others].flatMap((pair) =>
      FORMS.map(([choice, means]) => ({
        ...pair,
        choice,
        means,
        kind: `${JSON.stringify(choice)} ${pair.name}`,
      })),
    ),
  )('$kind', ({ api, format, choice, means }) => {
    const left = carry(api, format, said(choice, api.id));
    if (!('body' in left)) throw new Error(left.refusal);
    const written = left.body['tool_choice'];
    if (format.id === 'openai-chat') {
      expect(written).toEqual(means === 'look' ? { type: 'function', function: { name: 'look' } } : means);
    } else if (means === 'look') expect(written).toMatchObject({ type: 'tool', name: 'look' });
    else expect(written).toMatchObject({ type: means === 'required' ? 'any' : means });
  });

  it('covers every API for conversations', () => {
    expect(CHAT_APIS.map(({ id }) => id).filter((id) => BODIES[id] === undefined)).toEqual([]);
  });
});
