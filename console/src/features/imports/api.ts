import { queryOptions } from '@tanstack/react-query';
import { ApiError, isApiError } from '../../api/api-error';
import { api, callerHeaders, dataOf, envelopeOf } from '../../api/client';
import { fetchRaw } from '../../api/fetch-raw';
import { refusalOf } from '../../api/refusal';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

export type ImportState = Readonly<Schemas['ImportState']>;
export type ImportRun = Readonly<Schemas['ImportRun']>;
export type ImportReport = Readonly<Schemas['ImportReport']>;
export type ImportOrder = Readonly<Schemas['ImportOrder']>;

const KEY = ['imports'];
const REFRESH_MS = 1_000;
const WAL_ENDING = '-wal';

/** Read every second while a run is in progress. */
export const importsQuery = (language: string) =>
  queryOptions({
    // The sentences of its report are in a language.
    queryKey: [...KEY, language],
    queryFn: ({ signal }) => dataOf(api.GET('/api/import', { signal })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.run?.status === 'running' || data.busy_place !== '') ? REFRESH_MS : false,
  });

/** Requests to a file behind a load balancer, until one reaches the instance that has it. */
const TRIES = 30;

async function untilFile<T>(request: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await request();
    } catch (error) {
      const isElsewhere = isApiError(error) && error.code === 'import_file_elsewhere';
      if (!isElsewhere || tried === TRIES) throw error;
    }
  }
}

export const useStartImport = () =>
  useRefreshingMutation(KEY, (order: ImportOrder) =>
    untilFile(() => dataOf(api.POST('/api/import/run', { body: order }))),
  );

export const useStopImport = () =>
  useRefreshingMutation(KEY, () => envelopeOf(api.POST('/api/import/run/stop')));

export const useUndoImport = () =>
  useRefreshingMutation(KEY, (id: number) =>
    dataOf(api.POST('/api/import/{id}/undo', { params: { path: { id } } })),
  );

export const useRemoveFile = () =>
  useRefreshingMutation(KEY, () => envelopeOf(api.DELETE('/api/import/file')));

/**
 * Uploads a SQLite file, and its write-ahead log where one was chosen with it, chunk by chunk.
 * Fails: ApiError for a refusal.
 */
export async function uploadFiles(
  chosen: readonly File[],
  chunkBytes: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const log = chosen.find(({ name }) => name.endsWith(WAL_ENDING));
  const database = chosen.find((file) => file !== log);
  if (database === undefined) return;
  const { id } = await dataOf(
    api.POST('/api/import/file', { body: { name: database.name.slice(0, 120), size: database.size } }),
  );
  const total = database.size + (log?.size ?? 0);
  let sent = 0;
  for (const [part, file] of [['database', database] as const, ['log', log] as const]) {
    if (file === undefined) continue;
    for (let offset = 0; offset < file.size; offset += chunkBytes) {
      const chunk = file.slice(offset, offset + chunkBytes);
      await untilFile(() => sendChunk(`/api/import/file/${id}?part=${part}&offset=${offset}`, chunk));
      sent += chunk.size;
      onProgress(sent / total);
    }
  }
}

async function sendChunk(path: string, chunk: Blob): Promise<void> {
  const response = await fetchRaw(path, {
    method: 'PUT',
    headers: { ...callerHeaders(), 'Content-Type': 'application/octet-stream' },
    body: chunk,
    signal: new AbortController().signal,
  });
  const refusal = await refusalOf(response.clone());
  if (refusal !== undefined) throw refusal;
  if (!response.ok) throw new ApiError(response.status, '');
}

/** Uploads files and reads the state again. */
export const useUpload = (chunkBytes: number, onProgress: (share: number) => void) =>
  useRefreshingMutation(KEY, (files: readonly File[]) => uploadFiles(files, chunkBytes, onProgress), true);
