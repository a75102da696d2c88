/** Ids this format takes: letters, digits, underscores, hyphens. */
const ALLOWED = /^[A-Za-z0-9_-]{1,128}$/;

/** Ids of tool calls as this format takes them: other vendors' ids may hold anything. */
export class CallIds {
  private readonly written = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** The id a call, and its result, leave with. */
  idOf(callId: string): string {
    const before = this.written.get(callId);
    if (before !== undefined) return before;
    const wanted = ALLOWED.test(callId)
      ? callId
      : callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100) || 'call';
    let id = wanted;
    for (let suffix = 2; this.taken.has(id); suffix += 1) id = `${wanted}_${suffix}`;
    this.written.set(callId, id);
    this.taken.add(id);
    return id;
  }
}
