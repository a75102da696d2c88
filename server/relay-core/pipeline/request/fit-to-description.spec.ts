import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { ChatRequest } from '../../model/chat.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { orderHistory } from '../../formats/shared/requests/order-history.js';
import { CONSERVATIVE } from '../../providers/shared/default-descriptions.js';
import { describedFor, fitToDescription } from './fit-to-description.js';

const { gateway } = new MemoryPorts();

function fitted(
  request: Partial<ChatRequest>,
  description: Partial<VendorDescription>,
  model = 'some-model',
) {
  const warnings: Warning[] = [];
  const asked: ChatRequest = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
    choices: 1,
    stream: false,
    wantsStreamUsage: false,
    ...request,
  };
  const result = fitToDescription(asked, { ...CONSERVATIVE, ...description }, model, gateway, warnings);
  return {
    result,
    settings: warnings.map(({ setting }) => setting),
    own: result.vendorOptions?.['openai-chat'],
  };
}

describe('fitToDescription', () => {
  it.each([
    ['openai-chat', 'none', 'none'],
    ['openai-chat', 'reasoning', 'reasoning'],
    ['openai-responses', 'none', undefined],
    ['openai-responses', 'reasoning', undefined],
    ['anthropic-messages', 'none', undefined],
  ] as const)('reads the form of earlier thoughts for chats alone: %s, %s', (format, thoughts, read) => {
    expect(describedFor({ ...CONSERVATIVE, thoughts }, format).thoughts).toBe(read);
  });

  it('reports instructions that left their place between turns', () => {
    const turn = (role: 'system' | 'user') => ({ role, content: [{ type: 'text' as const, text: role }] });
    expect(fitted({ messages: [turn('user'), turn('system'), turn('user')] }, {}).settings).toEqual([
      'messages',
    ]);
    expect(fitted({ messages: [turn('system'), turn('user')] }, {}).settings).toEqual([]);
  });

  it('writes the user under the name of the vendor, within its bound, or not at all', () => {
    const user = 'x'.repeat(200);
    expect(fitted({ user }, { user: { max: 128 } }).result.user).toMatch(/^[0-9a-f]{64}$/);
    const renamed = fitted({ user: 'abcdef' }, { user: { max: 128, min: 6, member: 'user_id' } });
    expect(renamed.own).toEqual({ user_id: 'abcdef' });
    expect(renamed.result).not.toHaveProperty('user');
    const none = fitted({ user }, { user: false });
    expect(none.result).not.toHaveProperty('user');
    expect(none.settings).toEqual(['user']);
  });

  it('leaves a switch for streams out of a call that is not one', () => {
    const vendorOptions = { 'openai-chat': { enable_thinking: true } };
    const description = { streamedSwitches: ['enable_thinking'], thinksByDefault: /^qwen3-8b$/ };
    expect(fitted({ vendorOptions }, description)).toMatchObject({ own: {}, settings: ['enable_thinking'] });
    expect(fitted({}, description, 'qwen3-8b')).toMatchObject({
      own: { enable_thinking: false },
      settings: [],
    });
    expect(fitted({ vendorOptions, stream: true }, description, 'qwen3-8b')).toMatchObject({
      own: { enable_thinking: true },
      settings: [],
    });
  });

  it('keeps a choice of tools by leaving tools out, and reports one that is lost', () => {
    const tools = ['f', 'g'].map((name) => ({ type: 'function' as const, name }));
    const description = { toolChoices: ['auto'] as const };
    const choose = (toolChoice: ChatRequest['toolChoice']) =>
      fitted({ tools, ...(toolChoice === undefined ? {} : { toolChoice }) }, description);
    expect(choose({ type: 'auto' }).result).toMatchObject({ tools, toolChoice: { type: 'auto' } });
    expect(choose({ type: 'none' })).toMatchObject({ settings: [] });
    expect(choose({ type: 'none' }).result).not.toHaveProperty('tools');
    expect(choose({ type: 'required' })).toMatchObject({ result: { tools }, settings: ['tool_choice'] });
    const named = choose({ type: 'named', name: 'g' });
    expect(named).toMatchObject({ result: { tools: [{ name: 'g' }] }, settings: ['tool_choice'] });
    expect(named.result).not.toHaveProperty('toolChoice');
  });

  it('leaves neighbouring turns of the assistant joinable where no thoughts are written', () => {
    const turn = (text: string) => ({
      role: 'assistant' as const,
      content: [
        { type: 'reasoning' as const, text: 'T' },
        { type: 'text' as const, text },
      ],
    });
    // Google's packages keep each chunk of a stream as a turn of its own.
    const { result } = fitted({ messages: [turn('Answer '), turn('B.')] }, { thoughts: 'none' });
    expect(orderHistory(result, [])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Answer ' },
          { type: 'text', text: 'B.' },
        ],
      },
    ]);
  });

  it('writes earlier thoughts as parts for a vendor that has them so', () => {
    const { result } = fitted(
      {
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'Hm.' },
              { type: 'text', text: 'a' },
            ],
            vendorOptions: { 'openai-chat': { reasoning_details: [], prefix: true } },
          },
        ],
      },
      { thoughts: 'thinking parts' },
    );
    expect(result.messages[0]?.content).toEqual([
      {
        type: 'vendor',
        apiFormat: 'openai-chat',
        value: { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }], closed: true },
      },
      { type: 'text', text: 'a' },
    ]);
    expect(result.messages[0]?.vendorOptions).toEqual({ 'openai-chat': { prefix: true } });
  });

  it('leaves out a service tier that the vendor has not', () => {
    const vendorOptions = { 'openai-responses': { service_tier: 'priority', store: false } };
    const { result, settings } = fitted({ vendorOptions }, { serviceTiers: ['auto'] });
    expect(result.vendorOptions).toEqual({ 'openai-responses': { store: false } });
    expect(settings).toEqual(['service_tier']);
    expect(fitted({ vendorOptions }, { serviceTiers: ['priority'] }).result.vendorOptions).toBe(
      vendorOptions,
    );
  });

  it('leaves out `top_k` where it is refused', () => {
    expect(fitted({ topK: 5 }, { refusesTopK: true }).settings).toEqual(['top_k']);
    expect(fitted({ topK: 5 }, {}).result.topK).toBe(5);
  });

  it('stops the thinking of a model that takes no forced tool while it thinks', () => {
    const description = { thinkingChoices: { byDefault: /^thinks/, always: /^always/ } };
    const toolChoice = { type: 'required' as const };
    const asked = (thinking: unknown) => ({
      toolChoice,
      vendorOptions: { 'openai-chat': { thinking, reasoning_effort: 'high' } },
    });
    const stopped = fitted(asked({ type: 'enabled' }), description, 'mute');
    expect(stopped).toMatchObject({ own: { thinking: { type: 'disabled' } }, settings: ['reasoning'] });
    expect(stopped.own).not.toHaveProperty('reasoning_effort');
    expect(stopped.result.toolChoice).toEqual(toolChoice);
    expect(fitted({ toolChoice }, description, 'thinks')).toMatchObject({ settings: ['reasoning'] });
    expect(fitted({ toolChoice }, description, 'mute').settings).toEqual([]);
    expect(fitted(asked({ type: 'disabled' }), description, 'thinks').settings).toEqual([]);
    expect(fitted({ toolChoice: { type: 'auto' } }, description, 'thinks').settings).toEqual([]);
    const always = fitted({ toolChoice }, description, 'always');
    expect(always.settings).toEqual(['tool_choice']);
    expect(always.result).not.toHaveProperty('toolChoice');
  });
});
