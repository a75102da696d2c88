/** Operations whose calls hold a list of items: texts to embed, documents to rank. */
export type ListOperation = 'embed' | 'rerank';

/** Most items that a vendor takes in one call. */
export interface ItemBound {
  /** Texts of an embedding call, documents of a ranking; at least 1. */
  readonly most: number;
  /** Models it holds for, by their names at the vendor; absent = all that no earlier row names. */
  readonly models?: RegExp;
  /** Address of the page and the day it was read, or `not read` with what the figure rests on. */
  readonly source: string;
}

/** The bounds of one vendor, by operation; a missing operation has none that is known. */
export type ItemBounds = { readonly [O in ListOperation]?: readonly ItemBound[] };

/** Most items of one call for a model; undefined = the vendor has no bound that is known. The first row that fits counts. */
export const mostItems = (
  bounds: ItemBounds | undefined,
  operation: ListOperation,
  upstreamModel: string,
): number | undefined =>
  bounds?.[operation]?.find(({ models }) => models === undefined || models.test(upstreamModel))?.most;

export const isListOperation = (operation: string): operation is ListOperation =>
  operation === 'embed' || operation === 'rerank';
