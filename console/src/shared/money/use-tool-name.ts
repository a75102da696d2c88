import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Tools vendors run that have a name; the rest is called by its key. */
const TOOLS = [
  'web_search',
  'web_search_preview',
  'google_search',
  'file_search',
  'image_generation',
  'code_interpreter',
  'code_execution',
  'web_fetch',
] as const;

/** The name of a tool in the reader's language. Older servers write its key with dashes. */
export function useToolName(): (key: string) => string {
  const { t } = useTranslation();
  return useCallback(
    (key) => {
      const known = TOOLS.find((each) => each === key.replaceAll('-', '_'));
      return known === undefined ? key : t(`money.tool.${known}`);
    },
    [t],
  );
}
