import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from './describe-error';

/** Sentence for an error, in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback((error: unknown) => describeError(error, t), [t]);
}
