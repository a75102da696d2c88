import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFreshly } from '../../shared/identity/step-up';
import { useStatus } from '../../shared/session/status';
import { cheapestChat, type ModelPrice, priceItems, type TypedPrice } from './start-prices';
import { MODEL_PRICES, modelPricesQuery, storePrices } from './start.api';

/** Prices of the models in a form: those that are missing can be typed there. */
export interface FormPrices {
  /** Models without a price; none in self-use mode. */
  readonly unpriced: readonly ModelPrice[];
  readonly maySet: boolean;
  readonly typed: ReadonlyMap<string, TypedPrice>;
  onType(typed: ReadonlyMap<string, TypedPrice>): void;
  /** Stores the complete ones among the typed prices. */
  store(): Promise<void>;
  /** The least expensive model that chats; undefined = none, or not known. */
  cheapest(models: readonly string[]): string | undefined;
}

const NOTHING_TYPED: ReadonlyMap<string, TypedPrice> = new Map();
const NO_PRICES: readonly ModelPrice[] = [];

export function useFormPrices(models: readonly string[]): FormPrices {
  const { t } = useTranslation();
  const client = useQueryClient();
  const freshly = useFreshly();
  const isSelfUse = useStatus()?.self_use_mode_enabled === true;
  const found = useQuery(modelPricesQuery(models, !isSelfUse));
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const chosen = new Set(models);
  const prices = isSelfUse
    ? NO_PRICES
    : (found.data?.prices ?? NO_PRICES).filter(({ model }) => chosen.has(model));
  const unpriced = prices.filter(({ is_priced: isPriced }) => !isPriced);
  return {
    unpriced,
    maySet: found.data?.maySet === true,
    typed,
    onType: setTyped,
    store: async () => {
      const items = priceItems(unpriced, typed);
      if (items.length === 0) return;
      await freshly(() => storePrices(items, t('channels.saveTest.priceNote')));
      void client.invalidateQueries({ queryKey: MODEL_PRICES });
    },
    cheapest: (among) => cheapestChat(prices, new Set(among), typed),
  };
}
