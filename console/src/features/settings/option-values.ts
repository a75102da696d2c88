import type { TFunction } from 'i18next';
import { z } from 'zod';
import { isJson } from '../../shared/format/json';
import type { OptionChange, OptionTexts } from './api';
import type { OptionField } from './catalogue';

/** Values of a section's form, by field id. */
export type OptionValues = Record<string, string | number | boolean>;

/** Stored text → form value. JSON is laid out for reading. */
export function readOption(field: OptionField, text: string | undefined): string | number | boolean {
  switch (field.kind) {
    case 'flag':
      return text === 'true';
    case 'integer':
    case 'number':
      return text === undefined || text === '' ? Number.NaN : Number(text);
    case 'json':
      return text !== undefined && isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : (text ?? '');
    case 'text':
    case 'address':
    case 'lines':
    case 'block':
      return text ?? '';
  }
}

/** Form value → stored text. Addresses lose their trailing slash. */
export function writeOption(field: OptionField, value: string | number | boolean): string {
  if (field.kind === 'address') return String(value).trim().replace(/\/+$/, '');
  return field.kind === 'text' ? String(value).trim() : String(value);
}

export function readOptions(fields: readonly OptionField[], texts: OptionTexts): OptionValues {
  return Object.fromEntries(fields.map((field) => [field.id, readOption(field, texts[field.key])]));
}

/** Only what differs from what is stored. */
export function changesOf(
  fields: readonly OptionField[],
  values: OptionValues,
  texts: OptionTexts,
): OptionChange[] {
  const stored = readOptions(fields, texts);
  return fields
    .filter((field) => !Object.is(values[field.id], stored[field.id]))
    .map((field) => ({ key: field.key, value: writeOption(field, values[field.id] ?? '') }));
}

export function optionsSchema(
  fields: readonly OptionField[],
  t: TFunction,
): z.ZodType<OptionValues, OptionValues> {
  return z.object(
    Object.fromEntries(fields.map((field) => [field.id, fieldSchema(field, t)])),
  ) as unknown as z.ZodType<OptionValues, OptionValues>;
}

function fieldSchema(field: OptionField, t: TFunction): z.ZodType {
  switch (field.kind) {
    case 'flag':
      return z.boolean();
    case 'integer':
    case 'number': {
      let schema = z.number(t('common.form.notNumber'));
      if (field.kind === 'integer') schema = schema.int(t('common.form.notInteger'));
      if (field.min !== undefined)
        schema = schema.min(field.min, t('common.form.atLeast', { min: field.min }));
      if (field.max !== undefined)
        schema = schema.max(field.max, t('common.form.atMost', { max: field.max }));
      return schema;
    }
    case 'json':
      return z.string().refine(isJson, t('common.form.notJson'));
    case 'address':
      return z
        .string()
        .refine(
          (text) => text.trim() === '' || /^https?:\/\/\S+$/.test(text.trim()),
          t('channels.error.baseUrl'),
        );
    case 'text':
    case 'lines':
    case 'block':
      return z.string();
  }
}
