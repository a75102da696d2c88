import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const OLLAMA: Json = {
  model: 'm',
  message: { role: 'assistant', content: 'Hi' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 1,
  eval_count: 1,
};
const turnsOf = (body: Json): readonly string[] =>
  list(body['messages']).map((turn) => `${String(object(turn)['role'])} ${String(object(turn)['content'])}`);

const CODEX = {
  instructions: 'INS',
  input: [
    { role: 'developer', content: 'D' },
    { role: 'user', content: 'q' },
  ],
};
const DEVELOPER = {
  messages: [
    { role: 'developer', content: 'D' },
    { role: 'user', content: 'q' },
  ],
};

describe('a vendor that knows one system message gets one at the head', () => {
  it.each([26, 25, 35, 40, 42, 47, 53, 1, 43])(
    'joins instructions and a developer of Codex, type %i',
    async (type) => {
      const route = type === 43 ? { settings: {} } : {};
      if (type === 43) {
        const { body } = await sentTo(43, 'responses', CODEX, { ...route, answer: RESPONSE });
        expect(body).toMatchObject({ instructions: 'INS\n\nD', input: [{ role: 'user', content: 'q' }] });
        return;
      }
      const { body } = await sentTo(type, 'responses', CODEX);
      expect(turnsOf(body)).toEqual(['system INS\n\nD', 'user q']);
    },
  );

  it('joins them in the instructions of the Responses address of type 17', async () => {
    const { body, text } = await sentTo(17, 'responses', CODEX, { answer: RESPONSE });
    expect(body).toMatchObject({ instructions: 'INS\n\nD', input: [{ role: 'user', content: 'q' }] });
    expect(text).not.toContain('developer');
  });

  it.each([43, 17, 19, 20, 22, 25, 26, 27, 31, 35, 39, 40, 42, 45, 46, 47, 48, 53, 59, 60, 1, 4, 34])(
    'writes the developer of a chat as system, type %i',
    async (type) => {
      const answer = type === 34 ? COHERE : ANSWER;
      const { body } = await sentTo(type, 'chat', DEVELOPER, { answer });
      expect(turnsOf(body)).toEqual(['system D', 'user q']);
    },
  );

  it.each([4, 40, 47])(
    'moves system messages between the turns of the Messages API, type %i',
    async (type) => {
      const asked = {
        system: 'A',
        messages: [
          { role: 'user', content: 'q' },
          { role: 'system', content: 'C' },
          { role: 'user', content: 'r' },
        ],
      };
      const { body, warnings } = await sentTo(type, 'messages', asked, {
        answer: type === 4 ? OLLAMA : ANSWER,
      });
      expect(turnsOf(body)).toEqual(['system A\n\nC', 'user q', 'user r']);
      expect(warnings).toContain('messages');
    },
  );

  it.each([17, 25, 26, 35, 43, 48, 60])('moves them at the Messages address of type %i', async (type) => {
    const asked = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'system', content: 'C' },
        { role: 'user', content: 'r' },
      ],
    };
    const { body, warnings } = await sentTo(type, 'messages', asked, {
      answer: MESSAGE,
      upstreamModel: 'qwen-plus',
    });
    expect(body['system']).toBe('C');
    expect(turnsOf(body)).toEqual(['user q', 'user r']);
    expect(warnings).toBe('messages.1');
  });

  it('keeps the members of a call that needs nothing', async () => {
    const { body } = await sentTo(43, 'chat', {
      messages: [
        { role: 'system', content: 'A' },
        { role: 'user', content: 'q' },
      ],
    });
    expect(body).toEqual({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'A' },
        { role: 'user', content: 'q' },
      ],
    });
  });

  it.each(['https://api.openai.com/v1', 'https://eu.api.openai.com', 'https://own.openai.azure.com'])(
    'keeps the developer behind type 1 at %s',
    async (baseUrl) => {
      const { body } = await sentTo(1, 'chat', DEVELOPER, { baseUrl });
      expect(turnsOf(body)).toEqual(['developer D', 'user q']);
    },
  );

  it.each(['https://openai.com.evil.example', 'https://notopenai.com', 'https://a.example/openai.com'])(
    'writes the developer as system behind type 1 at %s',
    async (baseUrl) => {
      const { body } = await sentTo(1, 'chat', DEVELOPER, { baseUrl });
      expect(turnsOf(body)).toEqual(['system D', 'user q']);
    },
  );

  it('keeps the developer for OpenAI itself', async () => {
    const { body } = await sentTo(1, 'chat', DEVELOPER, { baseUrl: '' });
    expect(turnsOf(body)).toEqual(['developer D', 'user q']);
  });
});
const COHERE: Json = {
  id: 'x',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  finish_reason: 'COMPLETE',
  usage: { billed_units: { input_tokens: 1, output_tokens: 1 } },
};

describe('a vendor that reads one name of the cap', () => {
  it.each([43, 26, 40, 47, 53, 17, 42])('gets the cap under it, type %i', async (type) => {
    const asked = { messages: [{ role: 'user', content: 'q' }], max_completion_tokens: 77 };
    const { body } = await sentTo(type, 'chat', asked);
    expect(body).toMatchObject({ max_tokens: 77 });
    expect(body).not.toHaveProperty('max_completion_tokens');
  });
});

describe('words of vendors that resemble OpenAI only', () => {
  const messages = [{ role: 'user', content: 'q' }];

  it('leaves `enable_thinking` out of a call to DashScope without a stream, passed and translated', async () => {
    const passed = await sentTo(17, 'chat', { messages, enable_thinking: true });
    expect(passed.body).not.toHaveProperty('enable_thinking');
    expect(passed.warnings).toBe('enable_thinking');
    const effort = await sentTo(17, 'chat', { messages, reasoning_effort: 'high' });
    expect(effort.body).not.toHaveProperty('enable_thinking');
    expect(effort.warnings).toBe('enable_thinking');
  });

  it('gives chat clients the thoughts of Mistral as `reasoning_content`', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
    ];
    const answer = {
      ...ANSWER,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    };
    const { reply } = await sentTo(42, 'chat', { messages }, { answer });
    expect(JSON.parse(reply)).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' } }],
    });
  });

  it('gives Mistral its thoughts back as parts', async () => {
    const turn = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' };
    const { body } = await sentTo(42, 'chat', { messages: [...messages, turn, ...messages] });
    expect(list(body['messages'])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }], closed: true },
        { type: 'text', text: 'Hi' },
      ],
    });
  });

  it.each([
    ['MiniMax-M2', { reasoning_effort: 'high' }, undefined],
    ['MiniMax-M3', { reasoning_effort: 'high' }, { type: 'adaptive' }],
    ['MiniMax-M3', { reasoning_effort: 'none' }, { type: 'disabled' }],
    ['MiniMax-M3', { thinking: { type: 'enabled' } }, { type: 'adaptive' }],
  ])('writes reasoning for %s as MiniMax knows it: %j', async (upstreamModel, asked, thinking) => {
    const { body } = await sentTo(35, 'chat', { messages, ...asked }, { upstreamModel });
    expect(body).not.toHaveProperty('reasoning_effort');
    expect(body['thinking']).toEqual(thinking);
  });
});

describe('thoughts go back where the model’s own host asks for them', () => {
  const responses = {
    input: [
      { role: 'user', content: 'q' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'r' },
    ],
    tools: [{ type: 'function', name: 'f', parameters: {} }],
  };

  it.each([19, 22, 31, 40, 46, 47, 53])('writes reasoning_content to type %i', async (type) => {
    const { body, warnings } = await sentTo(type, 'responses', responses);
    expect(list(body['messages'])[1]).toMatchObject({ role: 'assistant', reasoning_content: 'Hm.' });
    expect(warnings).not.toContain('reasoning');
  });

  it('writes parts to type 42', async () => {
    const { body } = await sentTo(42, 'responses', responses);
    expect(list(body['messages'])[1]).toMatchObject({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }],
    });
  });
});

describe('a user of 150 letters', () => {
  const id = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) });

  it.each<[number, string, number]>([
    [1, 'user', 64],
    [17, 'user', 64],
    [20, 'user', 64],
    [40, 'user', 64],
    [45, 'user', 64],
    [47, 'user', 64],
    [53, 'user', 64],
    [25, 'user', 32],
    [26, 'user_id', 64],
  ])('becomes a digest within the bound of the vendor, type %i', async (type, member, length) => {
    const digest = new RegExp(`^[0-9a-f]{${length}}$`);
    const chat = await sentTo(type, 'chat', { messages: [{ role: 'user', content: 'q' }], user: id });
    expect(chat.body[member]).toMatch(digest);
    expect(chat.text).not.toContain('device_id');
    const translated = await sentTo(
      type,
      'responses',
      { input: 'q', user: id },
      { answer: [17, 20, 45].includes(type) ? RESPONSE : ANSWER },
    );
    expect(translated.body[[17, 20, 45].includes(type) ? 'user' : member]).toBe(chat.body[member]);
  });

  it('becomes a digest at the Messages address of DeepSeek, which takes letters, digits, _ and - only', async () => {
    const asked = { messages: [{ role: 'user', content: 'q' }], metadata: { user_id: id } };
    const { body } = await sentTo(43, 'messages', asked, { answer: MESSAGE });
    expect(object(body['metadata'])['user_id']).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('an option of content that is lost', () => {
  it('stands in the header of the answer by its path', async () => {
    const content = [
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'd' },
        citations: { enabled: true },
      },
    ];
    const asked = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'user', content },
      ],
    };
    const { warnings } = await sentTo(40, 'messages', asked);
    expect(warnings).toContain('messages.1.content.0.citations');
  });
});
