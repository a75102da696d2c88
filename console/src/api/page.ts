import type { ApiPath } from './schemas';
import { call, callForData, type CallOptions } from './client';
import type { Answer } from './unwrap';

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
  return { items: answer.data, total: totalOf(answer, { page, pageSize }, answer.data.length) };
}

/** Rows a page of the lists below holds on the server; no parameter changes it. */
const FIXED_PAGE_SIZE = 10;

/**
 * Lists that count from 0 and answer a bare array of ten at most, whatever one asks for (drawings, tasks): a longer page of the
 * console is put together from several of the server's, asked for until one is not full.
 */
export async function callFixedPage<T extends { readonly id: number }>(
  path: ApiPath,
  { page, pageSize }: PageRequest,
  options: CallOptions,
): Promise<Page<T>> {
  const first = ((page - 1) * pageSize) / FIXED_PAGE_SIZE;
  const end = first + pageSize / FIXED_PAGE_SIZE;
  const rows = new Map<number, T>();
  for (let p = first; ; p++) {
    const answer = await call<readonly T[]>('GET', path, { ...options, query: { ...options.query, p } });
    // A row that comes in between two answers moves the last one of the first into the second.
    answer.data.forEach((row) => rows.set(row.id, row));
    const isLast = answer.data.length < FIXED_PAGE_SIZE || (p + 1) * FIXED_PAGE_SIZE >= countOf(answer);
    if (p + 1 === end || isLast) {
      const read = (p - first) * FIXED_PAGE_SIZE + answer.data.length;
      return { items: [...rows.values()], total: totalOf(answer, { page, pageSize }, read) };
    }
  }
}

/** How many the server says there are; NaN when it does not. */
const countOf = ({ headers }: Answer<unknown>): number => Number(headers.get('X-Total-Count') ?? Number.NaN);

/** As the server counted them; else guessed: a page that is full may have one after it. */
function totalOf(answer: Answer<unknown>, { page, pageSize }: PageRequest, rows: number): number {
  const counted = countOf(answer);
  return Number.isFinite(counted) ? counted : (page - 1) * pageSize + rows + (rows === pageSize ? 1 : 0);
}
