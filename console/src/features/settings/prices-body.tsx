import { useQuery } from '@tanstack/react-query';
import { optionsToReadQuery, type OptionTexts } from './api';
import { PriceSection } from './price-section';
import { PriceTexts } from './price-texts';

const NOTHING: ReadonlySet<string> = new Set();

/** The editors of the prices; administrators without the section `prices` read the documents. */
export function PricesBody({ texts }: { texts: OptionTexts }) {
  const { data: toRead = NOTHING } = useQuery(optionsToReadQuery);
  return toRead.has('ModelRatio') ? <PriceTexts texts={texts} /> : <PriceSection texts={texts} />;
}
