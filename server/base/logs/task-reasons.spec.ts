import { describe, expect, it } from '@jest/globals';
import { TASK_REASONS, taskReasonIn } from './task-reasons.js';

describe('reasons of failed tasks in the language of the reader', () => {
  it.each(Object.values(TASK_REASONS))('renders “$en” in Chinese', ({ en, zh }) => {
    expect(taskReasonIn('zh', en)).toBe(zh);
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(taskReasonIn('en', en)).toBe(en);
  });

  it.each(['no credits', '', 'The upstream'])('keeps the words of a vendor: %j', (words) => {
    expect(taskReasonIn('zh', words)).toBe(words);
  });
});
