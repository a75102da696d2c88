/** A reader who does one of these may open something next. Focus is not among them: pages set it by themselves. */
const MOVES = ['pointermove', 'pointerdown', 'keydown', 'touchstart', 'wheel'] as const;

let moved: Promise<void> | undefined;

/** Resolves with the reader's first move on this page. What is fetched then does not compete with the page itself. */
export function firstMove(): Promise<void> {
  moved ??= new Promise((resolve) => {
    const onMove = () => {
      for (const name of MOVES) window.removeEventListener(name, onMove);
      resolve();
    };
    for (const name of MOVES) window.addEventListener(name, onMove, { passive: true });
  });
  return moved;
}
