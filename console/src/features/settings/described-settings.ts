import i18next, { type TFunction } from 'i18next';
import type { OptionField } from './option-field-types';
import { PRICE_DOCUMENTS } from './price-documents';
import { type SettingEntry, settingEntries } from './settings-index';

/** Every setting and every option of prices, with label, help and heading in the language of `t`. */
export function describedSettings(
  fields: readonly OptionField[],
  t: TFunction,
  language: string,
): readonly SettingEntry[] {
  const settings = settingEntries(fields, {
    label: ({ id }) => t(`settings.option.${id}.label`),
    help: ({ id }) => {
      const help: unknown = i18next.getResource(language, 'translation', `settings.option.${id}.help`);
      return typeof help === 'string' ? help : '';
    },
    heading: (heading) => t(`settings.heading.${heading}`),
  });
  const heading = t('settings.heading.prices');
  const prices = PRICE_DOCUMENTS.map(({ key }): SettingEntry => ({
    key,
    label: `${heading} · ${key}`,
    help: '',
    heading,
    tab: 'operation',
    path: '/prices?prices=json',
  }));
  return [...settings, ...prices];
}

export { optionFieldsQuery } from './api';
export { optionFields } from './option-fields';
export { findSettings } from './settings-index';
