import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { fixedPage, numberIn, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import type { RecordRequest } from '../../shared/records/record-filters';

/** Work a provider does in its own time; times in seconds, 0 = not yet. */
export type Task = Readonly<Schemas['Task']>;

/** Newest first; ordinary users see their own. */
export function tasksQuery({ page, pageSize, ...request }: RecordRequest & PageRequest) {
  const { taskId, channelId, span, asAdministrator } = request;
  return queryOptions({
    queryKey: ['tasks', 'list', { ...request, page, pageSize }],
    queryFn: ({ signal }) =>
      fixedPage<Task>({ page, pageSize }, (p) => {
        const query = { p, task_id: taskId, start_timestamp: span.start, end_timestamp: span.end };
        return asAdministrator
          ? api.GET('/api/task', { params: { query: { ...query, channel_id: numberIn(channelId) } }, signal })
          : api.GET('/api/task/self', { params: { query }, signal });
      }),
    placeholderData: (previous) => previous,
  });
}
