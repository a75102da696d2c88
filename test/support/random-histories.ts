import fc from 'fast-check';
import { EMPTY_SCHEMA, PICTURE } from './strict-vendors/story.js';

/** One element of a conversation, as clients put them one after another. Every text is unique. */
export type Said =
  | {
      readonly kind: 'user' | 'result';
      readonly words: string;
      readonly call: number;
      readonly hasPicture: boolean;
    }
  | { readonly kind: 'system' | 'words' | 'thought'; readonly words: string }
  | { readonly kind: 'call'; readonly call: number };

/** A conversation in any order, and how the client parts it into messages. */
export interface History {
  readonly said: readonly Said[];
  /** At each place: the client begins a message of its own although the speaker is the same. */
  readonly parts: readonly boolean[];
  readonly hasTools: boolean;
  /** True when calls and results carry ids, if an API lets clients leave them out. */
  readonly hasIds: boolean;
}

const KINDS = ['user', 'system', 'words', 'thought', 'call', 'call', 'result', 'result', 'result'] as const;
const MOST_CALLS = 6;

const element = fc.record({
  kind: fc.constantFrom(...KINDS),
  blank: fc.constantFrom(undefined, undefined, undefined, undefined, '', ' \n'),
  call: fc.nat(MOST_CALLS - 1),
  hasPicture: fc.integer({ min: 0, max: 3 }).map((value) => value === 0),
});

/**
 * Thoughts, words, parallel calls, results in any order, with images, twice, without a call or not at all, empty texts and
 * instructions anywhere. A call keeps its number: an even one is of `lookup`, an odd one of `now`.
 */
export const histories: fc.Arbitrary<History> = fc
  .record({
    elements: fc.array(element, { minLength: 1, maxLength: 14 }),
    parts: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    hasTools: fc.integer({ min: 0, max: 4 }).map((value) => value > 0),
    hasIds: fc.boolean(),
  })
  .map(({ elements, ...rest }) => ({
    ...rest,
    said: [
      { kind: 'user' as const, words: 'u-first', call: 0, hasPicture: false },
      ...elements.map(({ kind, blank, call, hasPicture }, at): Said => {
        if (kind === 'call') return { kind, call };
        const words = blank ?? `${kind}-${at}.`;
        return kind === 'user' || kind === 'result' ? { kind, words, call, hasPicture } : { kind, words };
      }),
    ],
  }));

export const nameOf = (call: number): string => (call % 2 === 0 ? 'lookup' : 'now');
/** Call ids of some vendors hold what others refuse. */
export const idOf = (call: number): string => (call % 3 === 0 ? `functions.f:${call}` : `call_${call}`);

type Body = Record<string, unknown>;
type Part = Record<string, unknown>;

/** Neighbours of one role, joined or not. */
function spoken(
  { said, parts }: History,
  roleOf: (one: Said) => string,
  write: (one: Said) => readonly Part[],
): { readonly role: string; readonly parts: Part[] }[] {
  const messages: { readonly role: string; readonly parts: Part[] }[] = [];
  for (const [at, one] of said.entries()) {
    const role = roleOf(one);
    const last = messages.at(-1);
    if (last?.role === role && parts[at] === false) last.parts.push(...write(one));
    else messages.push({ role, parts: [...write(one)] });
  }
  return messages;
}

const isModels = ({ kind }: Said): boolean => kind === 'words' || kind === 'thought' || kind === 'call';
const DATA_LINK = `data:image/png;base64,${PICTURE}`;

function chatBody(history: History): Body {
  const messages: Record<string, unknown>[] = [];
  for (const [at, one] of history.said.entries()) {
    if (isModels(one)) {
      const last = messages.at(-1);
      const isNew =
        history.parts[at] === true || last?.['role'] !== 'assistant' || last['tool_calls'] !== undefined;
      const message: Record<string, unknown> = isNew ? { role: 'assistant', content: null } : last;
      if (isNew) messages.push(message);
      if (one.kind === 'thought')
        message['reasoning_content'] = `${String(message['reasoning_content'] ?? '')}${one.words}`;
      else if (one.kind === 'words') message['content'] = `${String(message['content'] ?? '')}${one.words}`;
      else if (one.kind === 'call') {
        const call = {
          id: idOf(one.call),
          type: 'function',
          function: { name: nameOf(one.call), arguments: JSON.stringify({ n: one.call }) },
        };
        message['tool_calls'] = [call];
      }
      continue;
    }
    if (one.kind === 'system') messages.push({ role: 'system', content: one.words });
    else if (one.kind === 'user' || one.kind === 'result') {
      const content = one.hasPicture
        ? [
            { type: 'text', text: one.words },
            { type: 'image_url', image_url: { url: DATA_LINK } },
          ]
        : one.words;
      messages.push(
        one.kind === 'user'
          ? { role: 'user', content }
          : { role: 'tool', tool_call_id: idOf(one.call), content },
      );
    }
  }
  const tools = ['lookup', 'now'].map((name) => ({
    type: 'function',
    function: { name, parameters: EMPTY_SCHEMA },
  }));
  return { messages, ...(history.hasTools ? { tools } : {}) };
}

function responsesBody({ said, hasTools }: History): Body {
  const input = said.map((one): Part => {
    switch (one.kind) {
      case 'system':
        return { role: 'system', content: one.words };
      case 'words':
        return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: one.words }] };
      case 'thought':
        return { type: 'reasoning', summary: [{ type: 'summary_text', text: one.words }] };
      case 'call':
        return {
          type: 'function_call',
          call_id: idOf(one.call),
          name: nameOf(one.call),
          arguments: JSON.stringify({ n: one.call }),
        };
      case 'user':
      case 'result': {
        const picture = one.hasPicture ? [{ type: 'input_image', image_url: DATA_LINK }] : [];
        const content = [{ type: 'input_text', text: one.words }, ...picture];
        return one.kind === 'user'
          ? { type: 'message', role: 'user', content }
          : { type: 'function_call_output', call_id: idOf(one.call), output: content };
      }
    }
  });
  const tools = ['lookup', 'now'].map((name) => ({
    type: 'function',
    name,
    parameters: EMPTY_SCHEMA,
    strict: true,
  }));
  return { input, ...(hasTools ? { tools } : {}) };
}

function messagesBody(history: History): Body {
  const write = (one: Said): readonly Part[] => {
    switch (one.kind) {
      case 'system':
      case 'words':
        return [{ type: 'text', text: one.words }];
      case 'thought':
        return [{ type: 'thinking', thinking: one.words, signature: '' }];
      case 'call':
        return [{ type: 'tool_use', id: idOf(one.call), name: nameOf(one.call), input: { n: one.call } }];
      case 'user':
      case 'result': {
        const source = { type: 'base64', media_type: 'image/png', data: PICTURE };
        const content = [
          { type: 'text', text: one.words },
          ...(one.hasPicture ? [{ type: 'image', source }] : []),
        ];
        return one.kind === 'user'
          ? content
          : [{ type: 'tool_result', tool_use_id: idOf(one.call), content }];
      }
    }
  };
  const role = (one: Said): string =>
    isModels(one) ? 'assistant' : one.kind === 'system' ? 'system' : 'user';
  const messages = spoken(history, role, write).map((one) => ({ role: one.role, content: one.parts }));
  const tools = ['lookup', 'now'].map((name) => ({ name, input_schema: EMPTY_SCHEMA }));
  return { messages, ...(history.hasTools ? { tools } : {}) };
}

function geminiBody(history: History): Body {
  const idIn = (call: number): { readonly id?: string } => (history.hasIds ? { id: idOf(call) } : {});
  const write = (one: Said): readonly Part[] => {
    switch (one.kind) {
      case 'system':
      case 'words':
        return [{ text: one.words }];
      case 'thought':
        return [{ text: one.words, thought: true }];
      case 'call':
        return [{ functionCall: { ...idIn(one.call), name: nameOf(one.call), args: { n: one.call } } }];
      case 'user':
      case 'result': {
        const picture = one.hasPicture ? [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] : [];
        const response = {
          functionResponse: { ...idIn(one.call), name: nameOf(one.call), response: { result: one.words } },
        };
        return [one.kind === 'user' ? { text: one.words } : response, ...picture];
      }
    }
  };
  const role = (one: Said): string => (isModels(one) ? 'model' : 'user');
  const instructions = history.said.filter(({ kind }) => kind === 'system').flatMap(write);
  const spokenOnly = { ...history, said: history.said.filter(({ kind }) => kind !== 'system') };
  const declarations = ['lookup', 'now'].map((name) => ({ name, parametersJsonSchema: EMPTY_SCHEMA }));
  return {
    contents: spoken(spokenOnly, role, write),
    ...(instructions.length > 0 ? { systemInstruction: { parts: instructions } } : {}),
    ...(history.hasTools ? { tools: [{ functionDeclarations: declarations }] } : {}),
  };
}

/** The same conversation as a client of each API sends it. */
export const HISTORY_BODIES: Readonly<Record<string, (history: History) => Body>> = {
  'openai-chat': chatBody,
  'openai-responses': responsesBody,
  'anthropic-messages': messagesBody,
  'gemini-generate': geminiBody,
};
