import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const BASH = { type: 'bash_20250124', name: 'bash' };
const EDITOR = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10_000 };
const MEMORY = { type: 'memory_20250818', name: 'memory' };
const COMPUTER = {
  type: 'computer_20250124',
  name: 'computer',
  display_width_px: 1024,
  display_height_px: 768,
};
const schemaOf = (tool: unknown): Json =>
  object(object(object(tool)['function'])['parameters'] ?? object(tool)['input_schema']);
const required = (tool: unknown): unknown => schemaOf(tool)['required'] ?? [];

describe('a tool that Anthropic defines and the client runs is a function to other vendors', () => {
  const tools = [BASH, EDITOR, MEMORY, COMPUTER];
  const names = tools.map(({ name }) => name);

  it.each([1, 40, 42])('become functions in a chat, type %i', async (type) => {
    const { body, warnings } = await sentTo(type, 'messages', { tools });
    const sent = list(body['tools']);
    expect(sent.map((tool) => object(object(tool)['function'])['name'])).toEqual(names);
    expect(sent.map(required)).toEqual([[], ['command', 'path'], ['command'], ['action']]);
    expect(JSON.stringify(sent[3])).toContain('1024 × 768');
    expect(warnings).toBe('');
  });

  it.each([17, 43])(
    'become functions at the Messages address of a compatible vendor, type %i',
    async (type) => {
      const route = { answer: MESSAGE, upstreamModel: type === 17 ? 'qwen-plus' : 'deepseek-chat' };
      const { body, warnings } = await sentTo(type, 'messages', { tools }, route);
      const sent = list(body['tools']).map(object);
      expect(sent.map(({ name }) => name)).toEqual(names);
      expect(sent.every((tool) => tool['type'] === undefined && tool['input_schema'] !== undefined)).toBe(
        true,
      );
      expect(warnings).toBe('');
    },
  );

  it('stays as it is at Anthropic, passed and written anew', async () => {
    const passed = await sentTo(14, 'messages', { tools }, { answer: MESSAGE });
    expect(passed.body['tools']).toEqual(tools);
    const settings = { systemPrompt: 'S' };
    const written = await sentTo(14, 'messages', { tools }, { answer: MESSAGE, settings });
    expect(written.body['tools']).toEqual(tools);
  });

  it('offers what its version knows', async () => {
    const { body } = await sentTo(1, 'messages', {
      tools: [
        { ...COMPUTER, type: 'computer_20241022' },
        { ...EDITOR, type: 'text_editor_20250124' },
      ],
    });
    const [computer, editor] = list(body['tools']).map((tool) => JSON.stringify(schemaOf(tool)));
    expect(computer).not.toContain('scroll');
    expect(editor).toContain('undo_edit');
  });
});
