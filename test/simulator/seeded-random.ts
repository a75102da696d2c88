/** A small generator of the sfc32 family: the same seed gives the same run, on every machine. */
export class SeededRandom {
  private readonly state: Uint32Array;

  constructor(seed: number) {
    this.state = Uint32Array.of(0x9e3779b9, 0x243f6a88, seed >>> 0, 1);
    for (let turn = 0; turn < 16; turn += 1) this.next();
  }

  /** At least 0, below 1. */
  next(): number {
    const [a = 0, b = 0, c = 0, count = 0] = this.state;
    const sum = (a + b + count) >>> 0;
    this.state[3] = count + 1;
    this.state[0] = b ^ (b >>> 9);
    this.state[1] = c + (c << 3);
    this.state[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum / 0x1_0000_0000;
  }

  /** A whole number of 0 … `below` − 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True once in `times` on average; never for 0. */
  onceIn(times: number): boolean {
    return times > 0 && this.next() * times < 1;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}
