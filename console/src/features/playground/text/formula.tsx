import { useEffect, useLayoutEffect, useRef } from 'react';
import { loadOnce, workLate } from './late-work';

const formulas = loadOnce(async () => (await import('./draw-formula')).drawFormula);

interface FormulaProps {
  source: string;
  isBlock: boolean;
  /** Still arriving: it is drawn at its end. */
  isOpen: boolean;
}

/** A formula in TeX; its source until it is whole and KaTeX is there, and where the source is faulty. */
export function Formula({ source, isBlock, isOpen }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) place.current.textContent = source;
  }, [source, isBlock]);
  useEffect(() => {
    if (isOpen) return void formulas();
    return workLate(formulas, (draw) => {
      if (place.current !== null) draw(place.current, source, isBlock);
    });
  }, [source, isBlock, isOpen]);
  return <span ref={place} style={isBlock ? { display: 'block' } : undefined} />;
}
