const PAUSE_MS = 10;

/** Resolves when the condition holds; the time limit is the test's own. */
export async function until(isSo: () => boolean | Promise<boolean>, pauseMs = PAUSE_MS): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

/** The same for something that has to be found: resolves with it. */
export async function untilFound<Found>(
  find: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  let found: Found | undefined;
  await until(async () => (found = await find()) !== undefined);
  return found as Found;
}
