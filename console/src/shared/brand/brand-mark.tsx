import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy-part';

/** Fetched after the page: names are readable without it. */
const BrandLogo = lazyPart(async () => (await import('./brand-logo')).BrandLogo);

interface BrandMarkProps {
  /** Name of a model or provider. */
  name: string;
  sizePx?: number;
  /** In place of a logo; nothing by default. */
  fallback?: ReactNode;
}

/** Logo of a model or provider beside its name. */
export function BrandMark({ name, sizePx = 16, fallback = null }: BrandMarkProps) {
  return (
    <Suspense fallback={fallback}>
      <BrandLogo name={name} sizePx={sizePx} fallback={fallback} />
    </Suspense>
  );
}
