const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Says, piece by piece, whether a JSON object is complete. Looks at brackets and strings only. */
export class JsonProgress {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private hasBegun = false;

  /** The object's last bracket came. */
  get isComplete(): boolean {
    return this.hasBegun && this.depth === 0 && !this.isInString;
  }

  reset(): void {
    this.depth = 0;
    this.isInString = false;
    this.isEscaped = false;
    this.hasBegun = false;
  }

  add(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.isEscaped) this.isEscaped = false;
      else if (this.isInString) {
        if (code === BACKSLASH) this.isEscaped = true;
        else if (code === QUOTE) this.isInString = false;
      } else if (code === QUOTE) this.isInString = true;
      else if (code === 0x7b || code === 0x5b) {
        this.depth += 1;
        this.hasBegun = true;
      } else if (code === 0x7d || code === 0x5d) this.depth = Math.max(0, this.depth - 1);
    }
  }
}
