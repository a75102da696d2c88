import type { TFunction } from 'i18next';
import { isApiError } from '../../api/api-error';

/** The server's own sentence where it sent one, else the fixed text for the status. */
export function describeError(error: unknown, t: TFunction): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error);
  if (error.message !== '') return error.message;
  switch (error.status) {
    case 0:
      return t('common.error.unreachable');
    case 401:
      return t('common.error.signedOut');
    case 403:
      return t('common.error.forbidden');
    case 405:
      return t('common.error.demoOnly');
    case 429:
      return t('common.error.tooMany');
    case 500:
      return t('common.error.internal');
    default:
      return t('common.error.status', { status: error.status });
  }
}
