import { describe, expect, it } from '@jest/globals';
import { completionRatioByName } from './completion-rules.js';

describe('completionRatioByName', () => {
  it.each([
    ['gpt-4o-2024-05-13', '3'],
    ['gpt-4o-2024-11-20', '4'],
    ['gpt-4-turbo-preview', '3'],
    ['gpt-4-0613', '2'],
    ['gpt-4o-all', '2'],
    ['gpt-5-mini-2030', '8'],
    ['gpt-5.4-nano', '6.25'],
    ['gpt-3.5-turbo-0125', '3'],
    ['o3-new', '4'],
    ['claude-3-future', '5'],
    ['claude-2.1', '3'],
    ['mistral-next', '3'],
    ['gemini-2.5-pro-preview-09', '8'],
    ['gemini-2.5-flash-preview-x-nothinking', '4'],
    ['command-r-plus', '5'],
    ['command-r-plus-08-2024', '4'],
    ['deepseek-chat', '4'],
    ['ERNIE-Speed-8K', '2'],
    ['llama3-70b-8192', '1.339'],
    ['nobody-knows', '1'],
    ['', '1'],
    ['GPT-4o', '1'],
    ['my-gpt-4o', '1'],
    ['my-gpt-4-1106', '3'],
    ['vendor/claude-4', '5'],
    ['o1', '4'],
    ['o1pro', '1'],
    ['o3-', '4'],
    ['DeepSeek-Reasoner', '4'],
    ['command-r', '3'],
    ['gemini-3-pro-image', '60'],
  ])('prices answers of %j at %s times the prompt', (model, ratio) => {
    expect(completionRatioByName(model)).toBe(ratio);
  });
});
