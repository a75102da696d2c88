import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/feedback/lazy-part';

/** Its code is fetched on one day of the year. */
const NewYearButton = lazyPart(async () => (await import('./new-year-button')).NewYearButton);

/** Wishes a happy new year, on 1 January where the reader is. */
export function FestiveButton() {
  const [isNewYear] = useState(() => isFirstOfJanuary(new Date(Date.now())));
  return isNewYear ? (
    <Suspense fallback={null}>
      <NewYearButton />
    </Suspense>
  ) : null;
}

const isFirstOfJanuary = (day: Date): boolean => day.getMonth() === 0 && day.getDate() === 1;
