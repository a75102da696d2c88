import type { ContentPart } from '../../../model/content.js';

/** How the vendor shows thoughts inside an answer: plain marks, or a folded box. */
const MARKS: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  [
    '<details style="color:gray;background-color: #f8f8f8;padding: 8px;border-radius: 4px;" open> <summary> Thinking... </summary>',
    '</details>',
  ],
];

/** Thoughts at the beginning of an answer, apart from its text. */
export function splitThoughts(answer: string): readonly ContentPart[] {
  for (const [open, close] of MARKS) {
    if (!answer.startsWith(open)) continue;
    const end = answer.indexOf(close, open.length);
    if (end === -1) break;
    const thoughts = answer.slice(open.length, end).trim();
    const text = answer.slice(end + close.length).replace(/^\n+/, '');
    return [
      ...(thoughts === '' ? [] : [{ type: 'reasoning', text: thoughts } as const]),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ];
  }
  return answer === '' ? [] : [{ type: 'text', text: answer }];
}

/** The same for an answer that grows: what of it is thought and what is said. */
export class ThoughtSplitter {
  private held = '';
  private state: 'start' | 'thinking' | 'text' = 'start';
  private close = '';
  private isFirstText = true;

  /** @returns pieces to give on now */
  push(piece: string): readonly { readonly isThought: boolean; readonly text: string }[] {
    this.held += piece;
    if (this.state === 'start') {
      const opened = MARKS.find(([open]) => this.held.startsWith(open));
      if (opened !== undefined) {
        this.state = 'thinking';
        this.held = this.held.slice(opened[0].length).replace(/^\n/, '');
        this.close = opened[1];
      } else if (!MARKS.some(([open]) => open.startsWith(this.held))) this.state = 'text';
      else return [];
    }
    if (this.state === 'thinking') return this.thinking();
    return this.saying();
  }

  /** What was held back because it might have been a mark. */
  finish(): readonly { readonly isThought: boolean; readonly text: string }[] {
    const text = this.held;
    this.held = '';
    return text === '' ? [] : [{ isThought: this.state === 'thinking', text }];
  }

  private thinking(): readonly { readonly isThought: boolean; readonly text: string }[] {
    const end = this.held.indexOf(this.close);
    if (end === -1) {
      const safe = this.held.length - overlap(this.held, this.close);
      const text = this.held.slice(0, safe);
      this.held = this.held.slice(safe);
      return text === '' ? [] : [{ isThought: true, text }];
    }
    const thought = this.held.slice(0, end);
    this.held = this.held.slice(end + this.close.length);
    this.state = 'text';
    return [...(thought === '' ? [] : [{ isThought: true, text: thought }]), ...this.saying()];
  }

  private saying(): readonly { readonly isThought: boolean; readonly text: string }[] {
    let text = this.held;
    this.held = '';
    if (this.isFirstText && this.close !== '') text = text.replace(/^\n+/, '');
    if (text === '') return [];
    this.isFirstText = false;
    return [{ isThought: false, text }];
  }
}

/** Characters at the end of `text` that may be the beginning of `mark`. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
