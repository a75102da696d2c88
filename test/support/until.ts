const PAUSE_MS = 10;

/** Resolves when the condition holds; the time limit is the test's own. */
export async function until(isSo: () => boolean | Promise<boolean>, pauseMs = PAUSE_MS): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
