import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { isJson } from '../../shared/format/json';
import { splitList } from '../../shared/format/lists';
import type { OptionChange, OptionTexts } from './api';
import type { OptionField } from './option-field-types';
import { faultIn, readRows } from './row-members';

/** Null: the stored secret is to be removed. Of a secret, an empty text changes nothing. */
export type OptionValue = string | number | boolean | string[] | null;

/** Values of a form, by field id. */
export type OptionValues = Record<string, OptionValue>;

/** Stored text → form value. JSON is laid out for reading. */
function readOption(field: OptionField, text: string | undefined): OptionValue {
  switch (field.kind) {
    case 'flag':
      return text === 'true';
    case 'integer':
    case 'number':
      return text === undefined || text === '' ? Number.NaN : Number(text);
    case 'json':
    case 'rows':
    case 'modules':
      return text !== undefined && isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : (text ?? '');
    case 'domains':
    case 'rules':
    case 'sections':
      return splitList(text);
    case 'secret':
      return '';
    case 'choice':
    case 'text':
    case 'address':
    case 'endpoint':
    case 'lines':
    case 'block':
      return text ?? '';
  }
}

/** Form value → stored text. Addresses lose their trailing slash. */
function writeOption(field: OptionField, value: OptionValue): string | null {
  switch (field.kind) {
    case 'secret':
      return value === null ? null : String(value).trim();
    case 'address':
      return String(value).trim().replace(/\/+$/, '');
    case 'choice':
    case 'text':
    case 'endpoint':
      return String(value).trim();
    case 'domains':
    case 'rules':
    case 'sections':
      return Array.isArray(value) ? value.join(',') : '';
    case 'flag':
    case 'integer':
    case 'number':
    case 'lines':
    case 'block':
    case 'json':
    case 'rows':
    case 'modules':
      return String(value);
  }
}

export function readOptions(fields: readonly OptionField[], texts: OptionTexts): OptionValues {
  return Object.fromEntries(fields.map((field) => [field.id, readOption(field, texts[field.key])]));
}

/**
 * Only what differs from what is stored: switches are turned off before, and on after, everything else, because the server
 * refuses a switch that stands on something missing.
 */
export function changesOf(
  fields: readonly OptionField[],
  values: OptionValues,
  texts: OptionTexts,
): OptionChange[] {
  const stored = readOptions(fields, texts);
  const written = (field: OptionField, from: OptionValues) => writeOption(field, from[field.id] ?? null);
  return fields
    .filter((field) => written(field, values) !== written(field, stored))
    .map((field) => ({ key: field.key, value: written(field, values), turn: turnOf(field, values) }))
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ key, value }) => ({ key, value }));
}

function turnOf(field: OptionField, values: OptionValues): -1 | 0 | 1 {
  if (field.kind !== 'flag') return 0;
  return values[field.id] === true ? 1 : -1;
}

export function optionsSchema(
  fields: readonly OptionField[],
  t: TFunction,
): z.ZodMiniType<OptionValues, OptionValues> {
  return z.object(
    Object.fromEntries(fields.map((field) => [field.id, fieldSchema(field, t)])),
  ) as unknown as z.ZodMiniType<OptionValues, OptionValues>;
}

function fieldSchema(field: OptionField, t: TFunction): z.ZodMiniType {
  switch (field.kind) {
    case 'flag':
      return z.boolean();
    case 'integer':
    case 'number': {
      const checks = [];
      if (field.kind === 'integer')
        checks.push(z.refine<number>(Number.isSafeInteger, t('common.form.notInteger')));
      if (field.min !== undefined)
        checks.push(z.gte(field.min, t('common.form.atLeast', { min: field.min })));
      if (field.max !== undefined) checks.push(z.lte(field.max, t('common.form.atMost', { max: field.max })));
      return z.number(t('common.form.notNumber')).check(...checks);
    }
    case 'rows':
      return z.string().check(
        z.refine(isJson, t('common.form.notJson')),
        z.superRefine((text, context) => {
          const fault = faultIn(field.rows ?? 'faq', readRows(text) ?? []);
          if (fault === undefined) return;
          const member = t(`settings.rows.member.${fault.member.label}`);
          context.addIssue({
            code: 'custom',
            message: t('settings.rows.fault', { number: fault.number, member }),
          });
        }),
      );
    case 'json':
    case 'modules':
      return z.string().check(z.refine(isJson, t('common.form.notJson')));
    case 'address':
    case 'endpoint':
      return z
        .string()
        .check(
          z.refine(
            (text) => text.trim() === '' || /^https?:\/\/\S+$/.test(text.trim()),
            t('common.form.webAddress'),
          ),
        );
    case 'secret':
      return z.nullable(z.string());
    case 'domains':
    case 'rules':
    case 'sections':
      return z.array(z.string());
    case 'choice':
    case 'text':
    case 'lines':
    case 'block':
      return z.string();
  }
}
