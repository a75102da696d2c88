import { isRecord } from '../format/json';

/** A typed place in local storage. Reading never fails: what cannot be read or parsed is the fallback. */
export interface StoredValue<T> {
  readonly key: string;
  read(): T;
  write(value: T): void;
  clear(): void;
  /** Called after every write or clear in this window, and after changes made by other windows. */
  subscribe(listener: () => void): () => void;
}

interface StoredOptions<T> {
  key: string;
  /** Undefined = the place holds something else. */
  parse: (value: unknown) => T | undefined;
  fallback: T;
  /** Text keys of the API family are stored bare, objects as JSON. */
  form: 'text' | 'json';
}

function rawRead(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage can be forbidden (private windows, policies): the console then works with defaults.
    return null;
  }
}

function rawWrite(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A full or forbidden storage costs a remembered preference, nothing else.
  }
}

/** Makes a stored value. `read` keeps the identity of its last result, so it can feed useSyncExternalStore. */
export function storedValue<T>({ key, parse, fallback, form }: StoredOptions<T>): StoredValue<T> {
  const listeners = new Set<() => void>();
  let lastRaw: string | null | undefined;
  let lastValue = fallback;

  function valueIn(raw: string | null): T {
    if (raw === null) return fallback;
    if (form === 'text') return parse(raw) ?? fallback;
    try {
      return parse(JSON.parse(raw)) ?? fallback;
    } catch {
      // Not JSON: written by an older console or by hand.
      return fallback;
    }
  }

  const notify = () => listeners.forEach((listener) => listener());

  return {
    key,
    read() {
      const raw = rawRead(key);
      if (raw !== lastRaw) {
        lastRaw = raw;
        lastValue = valueIn(raw);
      }
      return lastValue;
    },
    write(value) {
      rawWrite(key, form === 'text' ? String(value) : JSON.stringify(value));
      notify();
    },
    clear() {
      rawWrite(key, null);
      notify();
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener();
      };
      listeners.add(listener);
      window.addEventListener('storage', onStorage);
      return () => {
        listeners.delete(listener);
        window.removeEventListener('storage', onStorage);
      };
    },
  };
}

export const anyText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const oneOf =
  <T>(...known: readonly T[]) =>
  (value: unknown): T | undefined =>
    known.find((each) => each === value);

/** Sizes a list may show. */
export const PAGE_SIZES = [10, 20, 50, 100] as const;

/** From this height a window shows twenty compact rows without scrolling. */
const TALL_PX = 1_000;

/** Page size shared by all lists. */
export const storedPageSize = storedValue<number>({
  key: 'page-size',
  parse: (text) => oneOf(...PAGE_SIZES)(Number(text)),
  fallback: window.innerHeight >= TALL_PX ? 20 : 10,
  form: 'text',
});

export const storedDensity = storedValue<'compact' | 'comfortable'>({
  key: 'table-density',
  parse: oneOf('compact', 'comfortable'),
  fallback: 'compact',
  form: 'text',
});

/** Collapsed sidebar; `unset` follows the operator's default. */
export const storedSidebar = storedValue<'true' | 'false' | 'unset'>({
  key: 'default_collapse_sidebar',
  parse: oneOf('true', 'false', 'unset'),
  fallback: 'unset',
  form: 'text',
});

export const storedIdSort = storedValue<'true' | 'false'>({
  key: 'id-sort',
  parse: oneOf('true', 'false'),
  fallback: 'false',
  form: 'text',
});

/** The notice that was closed last, as other consoles of the API family keep it. */
export const storedDismissedNotice = storedValue<string>({
  key: 'notice',
  parse: anyText,
  fallback: '',
  form: 'text',
});

/** Switches of the drawing log and the task log in the sidebar, by the last status; keys of the API family. */
export const storedDashboard = storedSwitch('enable_data_export');
export const storedDrawingLog = storedSwitch('enable_drawing');
export const storedTaskLog = storedSwitch('enable_task');

function storedSwitch(key: string): StoredValue<'true' | 'false'> {
  return storedValue<'true' | 'false'>({
    key,
    parse: oneOf('true', 'false'),
    fallback: 'false',
    form: 'text',
  });
}

/** Invite code seen in ?aff=, sent with a registration. */
export const storedInviteCode = storedValue<string>({
  key: 'aff',
  parse: (value) => (typeof value === 'string' && value.length <= 32 ? value : undefined),
  fallback: '',
  form: 'text',
});

/** Hidden columns per table. */
export function storedColumns(table: string): StoredValue<Record<string, boolean>> {
  return storedValue<Record<string, boolean>>({
    key: `columns-${table}`,
    parse: (value) => (isSwitches(value) ? value : undefined),
    fallback: NO_COLUMNS,
    form: 'json',
  });
}
const NO_COLUMNS: Record<string, boolean> = {};

const isSwitches = (value: unknown): value is Record<string, boolean> =>
  isRecord(value) && Object.values(value).every((each) => typeof each === 'boolean');

export interface FirstSteps {
  readonly logSeen: boolean;
  readonly hidden: boolean;
}

/** Steps of a newcomer that the server does not record. */
export const storedFirstSteps = storedValue<FirstSteps>({
  key: 'first-steps',
  parse: (value) => {
    if (!isRecord(value)) return undefined;
    const { logSeen, hidden } = value;
    return typeof logSeen === 'boolean' && typeof hidden === 'boolean' ? { logSeen, hidden } : undefined;
  },
  fallback: { logSeen: false, hidden: false },
  form: 'json',
});

const pixels = (text: unknown): number | undefined =>
  /^\d{1,4}$/.test(String(text)) ? Number(text) : undefined;

/** Last height of the first steps in pixels: their place is kept until they are known. 0 = there were none. */
export const storedStepsHeight = storedValue<number>({
  key: 'first-steps-height',
  parse: pixels,
  fallback: globalThis.innerWidth <= 600 ? 394 : 336,
  form: 'text',
});

/** Last height of the dashboard's warnings in pixels, as for the first steps. */
export const storedWarningsHeight = storedValue<number>({
  key: 'warnings-height',
  parse: pixels,
  fallback: 0,
  form: 'text',
});

/** Models whose warning of a low price is hidden, and until when (seconds since 1970). */
export const storedHiddenWarnings = storedValue<Readonly<Record<string, number>>>({
  key: 'hidden-warnings',
  parse: (value) =>
    isRecord(value) && Object.values(value).every((each) => typeof each === 'number')
      ? (value as Record<string, number>)
      : undefined,
  fallback: {},
  form: 'json',
});
