import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

export type OperationsJobs = Readonly<Schemas['OperationsJobs']>;
export type ScheduledJob = OperationsJobs['jobs'][number];
export type WorkerInterval = OperationsJobs['intervals'][number];

const REFRESH_MS = 5_000;

/** Asked again every five seconds while the page is looked at; in the background it rests. */
export function jobsQuery(language: string) {
  return queryOptions({
    // The sentences in it are in a language.
    queryKey: ['operations', 'jobs', language],
    queryFn: ({ signal }) => dataOf(api.GET('/api/operations/jobs', { signal })),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
  });
}

/** Starts a recurring job before its time. */
export function useRunJob() {
  return useRefreshingMutation(['operations'], (name: string) =>
    envelopeOf(api.POST('/api/operations/jobs/{name}/run', { params: { path: { name } } })),
  );
}
