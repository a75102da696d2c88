import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ChoiceTexts, OptionId } from './option-field-types';

/** Label of an option, and its help where it has one. */
export function useOptionText(id: OptionId): { label: string; help: string | undefined } {
  const { t } = useTranslation();
  // Not every option needs help, so the key is looked up by name rather than by type.
  const helpKey = `settings.option.${id}.help`;
  const help = i18next.exists(helpKey)
    ? i18next.getResource(i18next.language, 'translation', helpKey)
    : undefined;
  return { label: t(`settings.option.${id}.label`), help: typeof help === 'string' ? help : undefined };
}

/** Name of a word the server offers; one that this console does not know is shown as it is. */
export function choiceText(texts: ChoiceTexts, choice: string): string {
  const text: unknown = i18next.getResource(i18next.language, 'translation', `settings.${texts}.${choice}`);
  return typeof text === 'string' ? text : choice;
}
