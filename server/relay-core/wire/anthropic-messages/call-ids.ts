/** Ids this wire takes: letters, digits, underscores, hyphens. */
const ALLOWED = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Ids of tool calls as this wire takes them. Other vendors' ids may hold anything, and the oldest form of calls has none:
 * those are answered by name, in order.
 */
export class CallIds {
  private readonly written = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** Calls without an id that wait for their answer, by name. */
  private readonly nameless = new Map<string, string[]>();
  private count = 0;

  /** The id a call leaves with. */
  ofCall(callId: string, name: string): string {
    if (callId !== '') return this.known(callId);
    const id = this.fresh(`call_${this.count}`);
    const waiting = this.nameless.get(name);
    if (waiting === undefined) this.nameless.set(name, [id]);
    else waiting.push(id);
    return id;
  }

  /** The id a result answers. */
  ofResult(callId: string, name: string): string {
    if (callId !== '') return this.known(callId);
    return this.nameless.get(name)?.shift() ?? this.fresh(`call_${this.count}`);
  }

  private known(callId: string): string {
    const before = this.written.get(callId);
    if (before !== undefined) return before;
    const id = ALLOWED.test(callId)
      ? callId
      : this.fresh(callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100));
    this.written.set(callId, id);
    this.taken.add(id);
    return id;
  }

  private fresh(wanted: string): string {
    this.count += 1;
    let id = wanted;
    for (let suffix = 2; this.taken.has(id); suffix += 1) id = `${wanted}_${suffix}`;
    this.taken.add(id);
    return id;
  }
}
