import i18next from 'i18next';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { toast } from './toast';

function Nothing(): null {
  return null;
}

/**
 * A part of the screen whose code is fetched when it is first shown. When that fails, nothing is shown but a toast,
 * instead of the whole page breaking. Place it inside `Suspense`.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      toast('error', i18next.t('common.error.unreachable'));
      return { default: Nothing as ComponentType<P> };
    }
  });
}
