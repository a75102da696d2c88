/** Often enough that nothing piles up, seldom enough that the pages that are needed again do not matter. */
const TRIM_EVERY_MS = 60_000;

/** Used part of `node:ffi`; Node before 26 has no such module. */
interface Ffi {
  dlopen(
    path: string,
    definitions: Readonly<Record<string, { readonly arguments: readonly string[]; readonly return: string }>>,
  ): { readonly functions: Readonly<Record<string, ((...values: readonly bigint[]) => number) | undefined>> };
}

/**
 * Has the C library give back, once a minute, the pages it keeps and does not use: between blocks that live long those of short ones
 * leave holes, and a process that is never idle would grow by some megabytes an hour for them. Does nothing where there is no such
 * function (other systems, other C libraries, older Nodes). Keeps no process alive.
 */
export function trimMemory(): void {
  const trim = findTrim();
  if (trim !== undefined) setInterval(trim, TRIM_EVERY_MS).unref();
}

/** @returns glibc's `malloc_trim(0)`, which returns true when memory was released */
export function findTrim(): (() => boolean) | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const { malloc_trim: trim } = loadFfi().dlopen('libc.so.6', {
      malloc_trim: { arguments: ['uint64'], return: 'int32' },
    }).functions;
    return trim === undefined ? undefined : () => trim(0n) === 1;
  } catch {
    return undefined;
  }
}

/** Without the warning that it is experimental: an operator could do nothing about it, and it may be missing. */
function loadFfi(): Ffi {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:ffi') as Ffi;
  } finally {
    process.emitWarning = emitWarning;
  }
}
