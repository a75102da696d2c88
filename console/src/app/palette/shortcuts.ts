import { ROLE } from '../../api/current-user';
import { storedValue } from '../../shared/browser/stored';
import type { NavigationEntry } from '../shell/navigation';

/** Choice to have keys without Ctrl: speech input and stray touches press them by accident. */
export const storedSingleKeys = storedValue<'on' | 'off'>({
  key: 'single-keys',
  parse: (text) => (text === 'on' || text === 'off' ? text : undefined),
  fallback: 'on',
  form: 'text',
});

/** Second key after `g`, and the page it opens. */
export const GO_KEYS = {
  d: { page: 'dashboard', path: '/detail' },
  l: { page: 'log', path: '/log' },
  t: { page: 'tokens', path: '/token' },
  c: { page: 'channels', path: '/channel', atLeast: ROLE.administrator },
  u: { page: 'users', path: '/user', atLeast: ROLE.administrator },
  s: { page: 'settings', path: '/setting', atLeast: ROLE.administrator },
  w: { page: 'wallet', path: '/topup' },
  p: { page: 'playground', path: '/playground' },
} as const satisfies Readonly<Record<string, GoTarget>>;

interface GoTarget {
  readonly page: NavigationEntry['id'] | 'playground';
  readonly path: string;
  /** Smallest role that may open the page; any account when left out. */
  readonly atLeast?: number;
}

export type GoKey = keyof typeof GO_KEYS;
export const isGoKey = (key: string): key is GoKey => Object.hasOwn(GO_KEYS, key);

export const mayGo = (key: GoKey, role: number): boolean => {
  const target: GoTarget = GO_KEYS[key];
  return role >= (target.atLeast ?? 0);
};

const TYPED = 'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"]';

/** Recognises a key press into a field or an open dialog, or for the browser. */
export function isTaken({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return true;
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  return target instanceof Element && target.closest(TYPED) !== null;
}
