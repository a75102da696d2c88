import { Worker } from 'node:worker_threads';

/** A cost of 20 takes a minute; no client waits longer. */
const DEADLINE_MS = 60_000;

/**
 * Compares a password with a bcrypt hash in a thread of its own: one comparison takes a tenth of a second and more.
 * @returns false also for a hash that cannot be read, and after a minute
 */
export async function compareBcrypt(password: string, hash: string): Promise<boolean> {
  // Tests run the sources, which Node reads by stripping the types; the build runs what was compiled.
  const file = import.meta.url.endsWith('.ts') ? './bcrypt-worker.ts' : './bcrypt-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: { password, hash } });
  try {
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), DEADLINE_MS);
      timer.unref();
      worker.once('message', (fits: boolean) => resolve(fits));
      worker.once('error', () => resolve(false));
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  } finally {
    await worker.terminate();
  }
}
