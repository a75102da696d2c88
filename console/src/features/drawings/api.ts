import { queryOptions } from '@tanstack/react-query';
import { callFixedPage, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import type { RecordRequest } from '../../shared/records/record-filters';

/** A drawing a provider was asked for; times in milliseconds, 0 = not yet. */
export type Drawing = Readonly<Schemas['Drawing']>;

const milliseconds = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);

/** Newest first; ordinary users see their own. */
export function drawingsQuery({ page, pageSize, ...request }: RecordRequest & PageRequest) {
  const { taskId, channelId, span, asAdministrator } = request;
  return queryOptions({
    queryKey: ['drawings', 'list', { ...request, page, pageSize }],
    queryFn: ({ signal }) =>
      callFixedPage<Drawing>(
        asAdministrator ? '/api/mj/' : '/api/mj/self/',
        { page, pageSize },
        {
          query: {
            channel_id: asAdministrator ? channelId : undefined,
            mj_id: taskId,
            start_timestamp: milliseconds(span.start),
            end_timestamp: milliseconds(span.end),
          },
          signal,
        },
      ),
    placeholderData: (previous) => previous,
  });
}
