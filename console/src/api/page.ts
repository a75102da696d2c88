import type { ApiPath } from './schemas';
import { call, callForData, type CallOptions } from './client';

/** One page of a list as the console counts it: from 1. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

/** Lists that count from 1 and wrap their page (users, logs). */
export async function callWrappedPage<T>(
  path: ApiPath,
  { page, pageSize }: PageRequest,
  options: CallOptions,
): Promise<Page<T>> {
  const query = { ...options.query, p: page, page_size: pageSize };
  const data = await callForData<{ items: readonly T[]; total: number }>('GET', path, { ...options, query });
  return { items: data.items, total: data.total };
}

/**
 * Lists that count from 0 and answer a bare array (channels, tokens). The total is in X-Total-Count; without it the
 * end is guessed from a page that is not full. This is the only place where the two ways of counting meet.
 */
export async function callBarePage<T>(
  path: ApiPath,
  { page, pageSize }: PageRequest,
  options: CallOptions & { sizeName: 'size' | 'page_size' },
): Promise<Page<T>> {
  const { sizeName, ...rest } = options;
  const query = { ...rest.query, p: page - 1, [sizeName]: pageSize };
  const answer = await call<readonly T[]>('GET', path, { ...rest, query });
  const counted = Number(answer.headers.get('X-Total-Count') ?? Number.NaN);
  const guessed = (page - 1) * pageSize + answer.data.length + (answer.data.length === pageSize ? 1 : 0);
  return { items: answer.data, total: Number.isFinite(counted) ? counted : guessed };
}
