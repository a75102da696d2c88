import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { describeError } from '../shared/feedback/describe-error';
import { notifyRetryAfter } from '../shared/feedback/pause';
import { toast } from '../shared/feedback/toast';
import { storedUser } from '../api/current-user';
import { isApiError, isTooMany } from '../api/api-error';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** `status`: a toast reports that it could not be loaded, since no page can show the error in its place. */
      failure?: 'status';
      /** Every page asks it: when that was too often, the page keeps its data and a bar explains. */
      isPageRead?: boolean;
    };
    mutationMeta: {
      /** `inline`: the form that asked shows the failure itself, so no toast. */
      failure?: 'inline';
    };
  }
}

const MAX_RETRIES = 2;

/** A refusal is an answer. Only requests to an unreachable or overloaded server are retried. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (!isApiError(error)) return false;
  return failures < MAX_RETRIES && (error.status === 0 || error.status >= 502);
}

/**
 * A refused session forgets the user; the signed-in guard then goes to the login page.
 * A 401 for a guest is an ordinary answer, not an expired session.
 */
function forgetExpiredSession(error: unknown): boolean {
  if (!isApiError(error) || error.status !== 401 || storedUser.read() === null) return false;
  sessionStorage.setItem('expired', 'true');
  storedUser.clear();
  return true;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (forgetExpiredSession(error)) return;
        if (query.meta?.isPageRead === true && isTooMany(error)) return notifyRetryAfter(error);
        if (query.meta?.failure === 'status') toast('error', i18next.t('common.error.statusFailed'));
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (forgetExpiredSession(error)) return;
        if (mutation.meta?.failure !== 'inline') toast('error', describeError(error, i18next.t));
      },
    }),
  });
}
