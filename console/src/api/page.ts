/** One page of a list as the console counts it: from 1. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

/** Query of lists that count from 1 and wrap their page (users, logs). */
export const countedFromOne = ({ page, pageSize }: PageRequest) => ({ p: page, page_size: pageSize });

/** A number out of a filter's text; undefined when there is none. */
export const numberIn = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** A call of `api` that is answered by a bare list. */
type ListCall<T> = Promise<{ readonly data?: { readonly data: readonly T[] }; readonly response: Response }>;

/**
 * Lists that count from 0 and answer a bare array (channels, tokens). The total is in X-Total-Count; without it the
 * end is guessed from a page that is not full. This is the only place where the two ways of counting meet.
 * @param call  a page by its number, counted from 0
 */
export async function barePage<T>(request: PageRequest, call: (p: number) => ListCall<T>): Promise<Page<T>> {
  const { items, total } = await readList(call(request.page - 1));
  return { items, total: total ?? guessedTotal(request, items.length) };
}

/** Rows a page of the lists below holds on the server (`server/gateway/tasks/task-lists.service.ts`); no parameter changes it. */
const FIXED_PAGE_SIZE = 10;

/**
 * Lists that count from 0 and answer a bare array of ten at most, whatever one asks for (drawings, tasks): a longer page of the
 * console is put together from several of the server's, asked for until one is not full.
 * @param call  a page by its number, counted from 0
 */
export async function fixedPage<T extends { readonly id: number }>(
  request: PageRequest,
  call: (p: number) => ListCall<T>,
): Promise<Page<T>> {
  const { page, pageSize } = request;
  const first = ((page - 1) * pageSize) / FIXED_PAGE_SIZE;
  const end = first + pageSize / FIXED_PAGE_SIZE;
  const rows = new Map<number, T>();
  for (let p = first; ; p++) {
    const { items, total } = await readList(call(p));
    // A row that comes in between two answers moves the last one of the first into the second.
    items.forEach((row) => rows.set(row.id, row));
    const isLast =
      items.length < FIXED_PAGE_SIZE || (total !== undefined && (p + 1) * FIXED_PAGE_SIZE >= total);
    if (p + 1 === end || isLast) {
      const read = (p - first) * FIXED_PAGE_SIZE + items.length;
      return { items: [...rows.values()], total: total ?? guessedTotal(request, read) };
    }
  }
}

/** The rows of one answer, and the server's count of all rows; undefined without one. */
async function readList<T>(call: ListCall<T>): Promise<{ items: readonly T[]; total: number | undefined }> {
  const { data, response } = await call;
  const total = Number(response.headers.get('X-Total-Count') ?? Number.NaN);
  return { items: data?.data ?? [], total: Number.isFinite(total) ? total : undefined };
}

/** A page that is full may have one after it. */
const guessedTotal = ({ page, pageSize }: PageRequest, rows: number): number =>
  (page - 1) * pageSize + rows + (rows === pageSize ? 1 : 0);
