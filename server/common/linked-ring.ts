/** Something that stands in one ring at a time. */
export abstract class LinkedRingMember {
  before: LinkedRingMember | null = null;
  after: LinkedRingMember | null = null;
}

/**
 * Things that come and go by the thousand, in the order they came. They hold one another by themselves, and whoever leaves holds
 * nobody any more. A `Set` would do for the eye; but it grows by throwing its table away, and a table that is garbage and old
 * keeps alive, and makes old, whatever stood in it: with a busy process's calls that was half of all the cleaning up.
 */
export class LinkedRing<T extends LinkedRingMember> {
  private first: LinkedRingMember | null = null;
  private last: LinkedRingMember | null = null;
  private size = 0;

  get count(): number {
    return this.size;
  }

  /** @param member  stands in no ring */
  add(member: T): void {
    member.before = this.last;
    if (this.last === null) this.first = member;
    else this.last.after = member;
    this.last = member;
    this.size += 1;
  }

  /** @param member  stands in this ring */
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
