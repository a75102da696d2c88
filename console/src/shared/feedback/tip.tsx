import type { TooltipProps } from '@mui/material/Tooltip';
import { cloneElement, type ComponentType, type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { firstMove } from './first-move';

type TipProps = Pick<TooltipProps, 'title' | 'placement'> & {
  /** Takes the properties it is given, as a Material UI component or an element does. */
  children: ReactElement<TipTarget>;
};

interface TipTarget {
  'aria-label'?: string | undefined;
  'data-tip'?: boolean;
}

let Tooltip: ComponentType<TooltipProps> | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isPressed = false;
for (const name of ['pointerdown', 'pointerup', 'pointercancel'])
  window.addEventListener(name, () => (isPressed = name === 'pointerdown'), { capture: true, passive: true });

/** Fetches the tooltip, unless it is there. When that fails, the page does without, and the next page tries again. */
export function loadTips(): Promise<void> {
  loading ??= import('@mui/material/Tooltip').then(
    ({ default: loaded }) =>
      afterUse(() => {
        Tooltip = loaded;
        listeners.forEach((listener) => listener());
      }),
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** The target of a tip is made anew: never one that has the focus, and none between a press and its click. */
function afterUse(show: () => void): void {
  if (isPressed)
    document.addEventListener('pointerup', () => setTimeout(() => afterUse(show)), { once: true });
  else if (document.activeElement?.closest('[data-tip]') == null) show();
  else document.addEventListener('focusout', () => queueMicrotask(() => afterUse(show)), { once: true });
}

/**
 * A tooltip of Material UI. What places it is a tenth of the code of a page and shows nothing by itself, so that it is fetched
 * with the reader's first move; until then the name it gives is there without it.
 */
export function Tip({ title, placement, children }: TipProps) {
  const isLoaded = useSyncExternalStore(subscribe, () => Tooltip !== undefined);
  useEffect(() => void firstMove().then(loadTips), []);
  if (isLoaded && Tooltip !== undefined)
    return (
      <Tooltip title={title} placement={placement}>
        {children}
      </Tooltip>
    );
  const name = typeof title === 'string' && title !== '' ? { 'aria-label': title } : {};
  return cloneElement(children, { ...name, ...children.props, 'data-tip': true });
}
