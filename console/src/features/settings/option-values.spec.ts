import { describe, expect, it } from '@jest/globals';
import type { TFunction } from 'i18next';
import { OPTION_FIELDS } from '../../testing/option-fields';
import type { OptionField, OptionKind } from './option-field-types';
import { changesOf, optionsSchema, type OptionValue, readOptions } from './option-values';

/** A field of the catalogue whose kind is another. */
const fieldOf = (kind: OptionKind, more: Partial<OptionField> = {}): OptionField => {
  const [field] = OPTION_FIELDS;
  if (field === undefined) throw new Error('the catalogue is empty');
  return { ...field, key: 'Key', id: 'logConsume', kind, ...more };
};
const readAs = (kind: OptionKind, text: string | undefined): OptionValue | undefined => {
  const texts: Record<string, string> = text === undefined ? {} : { Key: text };
  return readOptions([fieldOf(kind)], texts)['logConsume'];
};
/** Text that would be sent; undefined = nothing. */
const written = (kind: OptionKind, value: OptionValue, stored = 'stored'): string | null | undefined =>
  changesOf([fieldOf(kind)], { logConsume: value }, { Key: stored })[0]?.value;
const t = ((key: string) => key) as unknown as TFunction;
const faultsOf = (field: OptionField, value: unknown): string[] => {
  const read = optionsSchema([field], t).safeParse({ logConsume: value });
  return read.success ? [] : read.error.issues.map(({ message }) => message);
};

describe('stored options in a form', () => {
  it.each<[OptionKind, string | undefined, OptionValue]>([
    ['flag', 'true', true],
    ['flag', 'TRUE', false],
    ['flag', undefined, false],
    ['integer', '0', 0],
    ['integer', '', Number.NaN],
    ['number', undefined, Number.NaN],
    ['json', '{"a":1}', '{\n  "a": 1\n}'],
    ['json', '{broken', '{broken'],
    ['json', undefined, ''],
    ['domains', ' a.test,,b.test ', ['a.test', 'b.test']],
    ['secret', 'anything', ''],
    ['text', undefined, ''],
  ])('reads %s %j as %j', (kind, text, value) => {
    expect(readAs(kind, text)).toEqual(value);
  });

  it.each<[OptionKind, OptionValue, string | null]>([
    ['flag', true, 'true'],
    ['integer', 5, '5'],
    ['address', ' https://a.test/// ', 'https://a.test'],
    ['endpoint', ' https://a.test/ ', 'https://a.test/'],
    ['text', '  x ', 'x'],
    ['lines', ' x ', ' x '],
    ['domains', ['a.test', 'b.test'], 'a.test,b.test'],
    ['secret', ' new ', 'new'],
    ['secret', null, null],
  ])('writes %s %j as %j', (kind, value, text) => {
    expect(written(kind, value)).toBe(text);
  });

  it('sends nothing for what only looks different, and for a secret that was not typed', () => {
    expect(written('json', '{\n  "a": 1\n}', '{"a":1}')).toBeUndefined();
    expect(written('address', 'https://a.test', 'https://a.test/')).toBeUndefined();
    expect(written('secret', '')).toBeUndefined();
    expect(written('domains', ['a.test'], ' a.test ,')).toBeUndefined();
  });
});

describe('options the form refuses', () => {
  it('holds figures between their bounds, and integers to whole numbers', () => {
    const figure = fieldOf('integer', { min: 1, max: 10 });
    expect([0, 11, 1.5, Number.NaN, 1, 10].map((value) => faultsOf(figure, value))).toEqual([
      ['common.form.atLeast'],
      ['common.form.atMost'],
      ['common.form.notInteger'],
      ['common.form.notNumber'],
      [],
      [],
    ]);
    expect(faultsOf(fieldOf('number', { min: 0 }), 1.5)).toEqual([]);
  });

  it('takes web addresses or none', () => {
    const texts = [
      '',
      ' ',
      'https://a.test',
      'HTTPS://a.test',
      'ftp://a.test',
      'javascript:alert(1)',
      'https://a b',
    ];
    expect(texts.map((text) => faultsOf(fieldOf('address'), text).length)).toEqual([0, 0, 0, 1, 1, 1, 1]);
  });

  it('takes JSON alone where JSON is stored', () => {
    expect(faultsOf(fieldOf('json'), '{')).toEqual(['common.form.notJson']);
    expect(faultsOf(fieldOf('json'), 'null')).toEqual([]);
  });

  it('names the first entry of a list that cannot be stored', () => {
    const rows = fieldOf('rows', { rows: 'faq' });
    expect(faultsOf(rows, '[{"question":"q","answer":"a"},{"question":"q"}]')).toEqual([
      'settings.rows.fault',
    ]);
    expect(faultsOf(rows, '[{"question":"q","answer":"a"}]')).toEqual([]);
  });
});

describe('the order of changes', () => {
  it('switches off first, values next, switches on last', () => {
    const fields = OPTION_FIELDS.filter(({ heading }) => heading === 'github' || heading === 'oidc');
    const texts = { 'oidc.enabled': 'true' };
    const values = {
      ...readOptions(fields, texts),
      oidcEnabled: false,
      oidcClientSecret: null,
      githubEnabled: true,
      githubClientId: 'Iv1',
    };
    expect(changesOf(fields, values, texts).map(({ key }) => key)).toEqual([
      'oidc.enabled',
      'oidc.client_secret',
      'GitHubClientId',
      'GitHubOAuthEnabled',
    ]);
  });
});
