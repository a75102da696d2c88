/** Room for as many at first. */
const FIRST_ROOM = 16;

/**
 * Timestamps in the order they came: added at one end, dropped at the other, counted from any point. A ring, because a busy window
 * holds a hundred thousand of them and drops one with each that comes.
 */
export class TimestampList {
  private ring = new Float64Array(FIRST_ROOM);
  private start = 0;
  private size = 0;

  /** @param momentMs  not before the one added last; an earlier one (the clock was set back) counts as of then */
  add(momentMs: number): void {
    if (this.size === this.ring.length) this.grow();
    const last = this.size === 0 ? momentMs : this.at(this.size - 1);
    this.ring[(this.start + this.size) & (this.ring.length - 1)] = Math.max(momentMs, last);
    this.size += 1;
  }

  /** Forgets what is not after `boundMs`. */
  dropUntil(boundMs: number): void {
    while (this.size > 0 && this.at(0) <= boundMs) {
      this.start = (this.start + 1) & (this.ring.length - 1);
      this.size -= 1;
    }
  }

  countAfter(boundMs: number): number {
    if (this.size === 0 || this.at(0) > boundMs) return this.size;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) > boundMs) high = middle;
      else low = middle + 1;
    }
    return this.size - low;
  }

  /** @param place  1 = the latest. @returns undefined when there are not so many */
  fromLatest(place: number): number | undefined {
    return place < 1 || place > this.size ? undefined : this.at(this.size - place);
  }

  private at(index: number): number {
    return this.ring[(this.start + index) & (this.ring.length - 1)] as number;
  }

  private grow(): void {
    const larger = new Float64Array(this.ring.length * 2);
    for (let index = 0; index < this.size; index += 1) larger[index] = this.at(index);
    this.ring = larger;
    this.start = 0;
  }
}
