import type { Page } from '@playwright/test';

/** Presses, characters typed one by one, and texts pasted. */
export interface Hands {
  clicks: number;
  characters: number;
  pastes: number;
}

/** The part of a document that counting needs. */
interface Listening {
  addEventListener(type: string, listener: (event: { data?: string | null }) => void, capture: boolean): void;
}

/** Presses, typed characters and pasted texts from now on, as the page itself sees them. */
export async function countHands(page: Page): Promise<() => Promise<Hands>> {
  await page.evaluate(() => {
    const hands = { clicks: 0, characters: 0, pastes: 0 };
    Object.assign(globalThis, { hands });
    const { document } = globalThis as unknown as { document: Listening };
    document.addEventListener('pointerdown', () => (hands.clicks += 1), true);
    const onInput = ({ data }: { data?: string | null }): void => {
      if (data?.length === 1) hands.characters += 1;
      else hands.pastes += 1;
    };
    document.addEventListener('input', onInput, true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { hands: Hands }).hands);
}
