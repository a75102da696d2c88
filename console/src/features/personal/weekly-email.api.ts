import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import { currentLanguage } from '../../i18n';

/** The weekly summary by e-mail: whether it is on, and where it goes. */
export type WeeklyEmail = Readonly<Schemas['WeeklyEmail']>;

const KEY = ['personal', 'weekly-email'] as const;

export const weeklyEmailQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/self/weekly_email', { signal })),
});

export function useChangeWeeklyEmail() {
  return useRefreshingMutation(KEY, async (enabled: boolean) => {
    // E-mails are written in the language the account reads.
    if (enabled) await envelopeOf(api.PUT('/api/user/setting', { body: { language: currentLanguage() } }));
    return dataOf(api.PUT('/api/user/self/weekly_email', { body: { enabled } }));
  });
}
