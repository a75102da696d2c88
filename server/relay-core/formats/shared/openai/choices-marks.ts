const DONE = Buffer.from('[DONE]');

/** Whether data is the marker that ends a stream, spaces behind it passed over. */
export function isDone(data: Buffer, start: number, end: number): boolean {
  let last = end;
  while (last > start && (data[last - 1] as number) <= 0x20) last -= 1;
  return last - start === DONE.length && data.compare(DONE, 0, DONE.length, start, last) === 0;
}

/** An `error` member that is empty is a vendor's way of saying "none". */
export function hasContent(error: unknown): boolean {
  if (typeof error === 'string') return error !== '';
  if (typeof error !== 'object' || error === null) return false;
  return Object.values(error).some((value) => value !== null && value !== '' && value !== 0);
}
