import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { loadTexts } from '../i18n';
import type { PageTexts } from '../i18n/page-texts';

/** Code and texts of a page are fetched when it is first visited. */
export function lazily(texts: readonly PageTexts[], load: () => Promise<ComponentType>) {
  return async () => ({ Component: (await Promise.all([load(), loadTexts(...texts)]))[0] });
}

export function page(
  path: string,
  texts: readonly PageTexts[],
  load: () => Promise<ComponentType>,
  children?: RouteObject[],
): RouteObject {
  return { path, lazy: lazily(texts, load), children };
}
