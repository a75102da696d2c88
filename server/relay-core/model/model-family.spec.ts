import { describe, expect, it } from '@jest/globals';
import { familyOfModel, isModelListed } from './model-family.js';

describe('familyOfModel', () => {
  it.each([
    ['gpt-4-gizmo-g-abc', 'gpt-4-gizmo-*'],
    ['gpt-4o-gizmo-g-abc', 'gpt-4o-gizmo-*'],
    ['gpt-4-gizmo-', 'gpt-4-gizmo-'],
    ['gemini-2.5-pro-preview-thinking-8192', 'gemini-2.5-pro-thinking-*'],
    ['gemini-2.5-flash-lite-thinking-0', 'gemini-2.5-flash-lite-thinking-*'],
    ['gemini-2.5-flash-thinking-24576', 'gemini-2.5-flash-thinking-*'],
    ['gemini-2.5-flash-thinking-many', 'gemini-2.5-flash-thinking-many'],
    ['gpt-4o', 'gpt-4o'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
  ])('finds %s in the family %s', (model, family) => {
    expect(familyOfModel(model)).toBe(family);
  });
});

describe('isModelListed', () => {
  it('finds a model under its own name or that of its family', () => {
    const listed = new Set(['gpt-4o', 'gpt-4-gizmo-*']);
    expect(isModelListed(listed, 'gpt-4o')).toBe(true);
    expect(isModelListed(listed, 'gpt-4-gizmo-g-abc')).toBe(true);
    expect(isModelListed(listed, 'gpt-4o-gizmo-g-abc')).toBe(false);
    expect(isModelListed(listed, 'gpt-4')).toBe(false);
  });
});
