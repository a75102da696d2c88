import { describe, expect, it } from '@jest/globals';
import { fallbackFault, fallbackModelOf } from './fallback-model.js';

const rule = (id: number, model: string, fallbackModel: string, action = 'cheaper_model' as const) => ({
  id,
  model,
  fallbackModel,
  action,
});

describe('fallbackModelOf', () => {
  it('names the model that all full limits allow', () => {
    expect(fallbackModelOf([rule(1, 'large', 'small'), rule(2, 'large', 'small')])).toBe('small');
  });

  it('names none where one of the full limits refuses, or names another model', () => {
    expect(fallbackModelOf([rule(1, 'large', 'small'), { action: 'refuse' }])).toBeUndefined();
    expect(fallbackModelOf([rule(1, 'large', 'small'), rule(2, 'large', 'tiny')])).toBeUndefined();
    expect(fallbackModelOf([])).toBeUndefined();
  });
});

describe('fallbackFault', () => {
  it('accepts a model that no other rule begins at', () => {
    expect(fallbackFault(rule(1, 'large', 'small'), [rule(2, 'huge', 'small')])).toBeUndefined();
  });

  it('refuses a rule without a model', () => {
    expect(fallbackFault(rule(1, 'large', ' '), [])).toBe('missing');
  });

  it.each([
    ['the limited model itself', 'large', 'large'],
    ['a model of a limit for all models', '', 'small'],
  ])('refuses %s', (_name, model, fallback) => {
    expect(fallbackFault(rule(1, model, fallback), [])).toBe('covered');
  });

  it('refuses a second hop, whichever rule is saved last', () => {
    expect(fallbackFault(rule(1, 'large', 'small'), [rule(2, 'small', 'tiny')])).toBe('chained');
    expect(fallbackFault(rule(2, 'small', 'tiny'), [rule(1, 'large', 'small')])).toBe('chained');
  });

  it('leaves out the limit that is being changed', () => {
    expect(fallbackFault(rule(1, 'large', 'small'), [rule(1, 'small', 'tiny')])).toBeUndefined();
  });
});
