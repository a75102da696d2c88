import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isAuditAction } from './audit-action';

/** The name of an act in words; one without a name is called by its code. */
export function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (action) => (isAuditAction(action, i18n) ? t(`audit.action.${action}`) : action),
    [t, i18n],
  );
}
