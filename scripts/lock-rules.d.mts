/** One sentence per fault of a parsed package-lock.json. */
export function lockFaults(lock: unknown): string[];
