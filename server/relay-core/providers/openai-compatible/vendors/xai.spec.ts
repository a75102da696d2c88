import { describe, expect, it } from '@jest/globals';
import { chatAnswer, oneCall } from '../../../../../test/support/one-answer.js';
import type { Json } from '../../../../../test/support/strict-vendors/story.js';

const ANSWER = chatAnswer({ content: 'Hi' }, 'stop');
const CHAT = {
  messages: [{ role: 'user', content: 'q' }],
  stop: ['x'],
  presence_penalty: 1,
  frequency_penalty: 1,
};
const GENERATE = {
  generationConfig: { stopSequences: ['x'], presencePenalty: 1, frequencyPenalty: 1 },
};
const sentTo = (upstreamModel: string, api: string, more: Json) =>
  oneCall({ api, over: { channelType: 48, upstreamModel, isModelMapped: true }, more, answer: ANSWER });

describe('xAI', () => {
  it.each(['grok-3-mini', 'grok-4-0709', 'grok-4-1-fast-reasoning', 'grok-code-fast-1'])(
    'gives no stops and penalties to a model that reasons, with a warning: %s',
    async (model) => {
      const passed = await sentTo(model, 'chat', CHAT);
      const translated = await sentTo(model, 'gemini', GENERATE);
      for (const { sent } of [passed, translated])
        expect(Object.keys(sent).toSorted()).toEqual(['messages', 'model']);
      expect(passed.warnings).toBe('stop, presence_penalty, frequency_penalty');
      expect(translated.warnings).toContain('stop');
    },
  );

  it.each(['grok-3', 'grok-2-vision-1212', 'grok-4-1-fast-non-reasoning'])(
    'gives them to a model that does not: %s',
    async (model) => {
      const { sent, warnings } = await sentTo(model, 'chat', CHAT);
      expect([sent, warnings]).toEqual([{ model, ...CHAT }, '']);
    },
  );
});
