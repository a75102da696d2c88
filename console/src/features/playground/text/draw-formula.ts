import katex from 'katex';
import 'katex/dist/katex.min.css';

/** Draws a formula into an element. Formulas may name no addresses and load nothing; a faulty one stays as its source. */
export function drawFormula(place: HTMLElement, source: string, isBlock: boolean): void {
  katex.render(source, place, {
    displayMode: isBlock,
    throwOnError: false,
    trust: false,
    strict: 'ignore',
    maxExpand: 200,
    maxSize: 20,
    errorColor: 'currentColor',
  });
}
