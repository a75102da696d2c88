/** A member of at most one list at a time. */
export abstract class LinkedListNode {
  before: LinkedListNode | null = null;
  after: LinkedListNode | null = null;
}

/**
 * An intrusive doubly linked list, in the order of insertion. A `Set` that thousands of short-lived members pass through replaces its
 * table again and again, and an old table keeps its members alive until a full collection: half of the collector's work when busy.
 */
export class LinkedList<T extends LinkedListNode> {
  private first: LinkedListNode | null = null;
  private last: LinkedListNode | null = null;
  private size = 0;

  get count(): number {
    return this.size;
  }

  /** @param member  is in no list */
  add(member: T): void {
    member.before = this.last;
    if (this.last === null) this.first = member;
    else this.last.after = member;
    this.last = member;
    this.size += 1;
  }

  /** @param member  is in this list */
  remove(member: T): void {
    const { before, after } = member;
    if (before === null) this.first = after;
    else before.after = after;
    if (after === null) this.last = before;
    else after.before = before;
    member.before = null;
    member.after = null;
    this.size -= 1;
  }

  /** Takes out the first one; undefined when there is none. */
  shift(): T | undefined {
    const member = this.first as T | null;
    if (member === null) return undefined;
    this.remove(member);
    return member;
  }

  /** All of them, as they stand now. */
  toArray(): T[] {
    const all: T[] = [];
    for (let member = this.first; member !== null; member = member.after) all.push(member as T);
    return all;
  }
}
