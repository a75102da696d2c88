import { describe, expect, it } from '@jest/globals';
import { chatRequest } from './chat-request';
import type { ChatSettings } from './chat-settings';
import { type ChatMessage, textMessage } from './messages';

const SETTINGS: ChatSettings = { group: '', systemPrompt: '', tools: '', schema: '', parameters: {} };
const question = textMessage('1', 'user', 'Why?');
const answered = (parts: ChatMessage['parts'], metadata: ChatMessage['metadata'] = {}): ChatMessage => ({
  id: '2',
  role: 'assistant',
  parts,
  metadata,
});

describe('chatRequest', () => {
  it('sends what came whole, and leaves failed answers out', () => {
    const failed = answered([{ type: 'text', text: 'half' }], {
      failure: { status: 200, code: '', message: 'gone', data: '' },
    });
    expect(chatRequest([question, failed, textMessage('3', 'user', 'Again?')], SETTINGS, 'm')).toEqual({
      model: 'm',
      group: '',
      stream: true,
      temperature: 0,
      max_tokens: 0,
      messages: [
        { role: 'user', content: 'Why?' },
        { role: 'user', content: 'Again?' },
      ],
    });
  });

  it('sends a stopped answer, and no reasoning', () => {
    const stopped = answered(
      [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Because' },
      ],
      { ending: 'stopped' },
    );
    expect(chatRequest([question, stopped], SETTINGS, 'm').messages[1]).toEqual({
      role: 'assistant',
      content: 'Because',
    });
  });

  it('begins with the system prompt, unless it is blank', () => {
    const roles = (systemPrompt: string) =>
      chatRequest([question], { ...SETTINGS, systemPrompt }, 'm').messages.map(({ role }) => role);
    expect([roles('Be brief.'), roles(' \n')]).toEqual([['system', 'user'], ['user']]);
  });

  it('sends the parameters of the model, and no sampling to a model that refuses it', () => {
    const settings = {
      ...SETTINGS,
      parameters: {
        m: { temperature: 0.7, maxTokens: 9, topP: 0.5, seed: 0, stop: 'END\n\nSTOP' },
        'o3-mini': { temperature: 0.7, maxTokens: 0, reasoningEffort: 'low' as const },
      },
    };
    expect(chatRequest([], settings, 'm')).toMatchObject({
      temperature: 0.7,
      max_tokens: 9,
      top_p: 0.5,
      seed: 0,
      stop: ['END', 'STOP'],
    });
    const reasoning = chatRequest([], settings, 'o3-mini');
    expect(reasoning).toMatchObject({ reasoning_effort: 'low', max_tokens: 0 });
    expect(reasoning).not.toHaveProperty('temperature');
    expect(chatRequest([], settings, 'other')).toMatchObject({ temperature: 0, max_tokens: 0 });
  });

  it('sends images, sound and other files as parts', () => {
    const message: ChatMessage = {
      id: '1',
      role: 'user',
      parts: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
        { type: 'file', mediaType: 'audio/mpeg', url: 'data:audio/mpeg;base64,BB==' },
        {
          type: 'file',
          mediaType: 'application/pdf',
          filename: 'a.pdf',
          url: 'data:application/pdf;base64,CC==',
        },
      ],
    };
    expect(chatRequest([message], SETTINGS, 'm').messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'input_audio', input_audio: { data: 'BB==', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC==' } },
        ],
      },
    ]);
  });

  it('sends tool calls with their results between the two answers', () => {
    const message = answered([
      { type: 'step' },
      {
        type: 'tool',
        toolCallId: 'c1',
        toolName: 'weather',
        input: { city: 'Ulm' },
        output: { degrees: 3 },
      },
      { type: 'step' },
      { type: 'text', text: 'Three degrees.' },
    ]);
    expect(chatRequest([question, message], SETTINGS, 'm').messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"degrees":3}' },
      { role: 'assistant', content: 'Three degrees.' },
    ]);
  });

  it('sends tools and a schema, and neither while they are faulty', () => {
    const tools = JSON.stringify([
      { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
    ]);
    expect(chatRequest([], { ...SETTINGS, tools, schema: '{"type":"object"}' }, 'm')).toMatchObject({
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' }, strict: true } },
    });
    const faulty = chatRequest([], { ...SETTINGS, tools: '[{"name":"a b"}]', schema: '[]' }, 'm');
    expect(faulty).not.toHaveProperty('tools');
    expect(faulty).not.toHaveProperty('response_format');
  });
});
