import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { fixedPage, numberIn, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import type { RecordRequest } from '../../shared/records/record-filters';

/** A drawing requested from a provider; times in milliseconds, 0 = not yet. */
export type Drawing = Readonly<Schemas['Drawing']>;

const milliseconds = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);

/** Newest first; ordinary users see their own. */
export function drawingsQuery({ page, pageSize, ...request }: RecordRequest & PageRequest) {
  const { taskId, channelId, span, asAdministrator } = request;
  return queryOptions({
    queryKey: ['drawings', 'list', { ...request, page, pageSize }],
    queryFn: ({ signal }) =>
      fixedPage<Drawing>({ page, pageSize }, (p) => {
        const query = {
          p,
          mj_id: taskId,
          start_timestamp: milliseconds(span.start),
          end_timestamp: milliseconds(span.end),
        };
        return asAdministrator
          ? api.GET('/api/mj', { params: { query: { ...query, channel_id: numberIn(channelId) } }, signal })
          : api.GET('/api/mj/self', { params: { query }, signal });
      }),
    placeholderData: (previous) => previous,
  });
}
