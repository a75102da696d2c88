import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelNamesQuery, type ChannelPreset, type ChannelType } from './api';
import { chosenValues, findPreset } from './channel-presets';
import type { ChannelValues } from './channel.schema';
import { freeName, keyVendors, vendorOfKey } from './key-vendors';

export interface ChosenProvider {
  readonly type: number;
  readonly preset?: ChannelPreset | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The provider of a channel: chosen by hand, or recognised from the key of a new one. Fills in what belongs to it. */
export function useProvider(
  form: UseFormReturn<ChannelValues>,
  types: readonly ChannelType[],
  presets: readonly ChannelPreset[],
  isNew: boolean,
) {
  const { t } = useTranslation();
  const names = useQuery({ ...channelNamesQuery, enabled: isNew });
  /** The name that was filled in; any other one was typed. */
  const suggested = useRef('');
  const isByHand = useRef(false);
  const vendors = keyVendors(types, presets, t('channels.type.custom'));

  const put = ({ type, preset }: ChosenProvider) => {
    const values = form.getValues();
    const old = findPreset(presets, Number(values.type), values.vendor['preset']);
    const before = values.name === suggested.current ? { ...values, name: '' } : values;
    const next = chosenValues(before, old, { type, preset });
    const name = before.name.trim() === '' ? nameOf({ type, preset }) : next.name;
    if (name !== before.name) suggested.current = name;
    const dirty = { shouldDirty: true };
    form.setValue('type', next.type, dirty);
    form.setValue('vendor', { ...next.vendor }, dirty);
    form.setValue('baseUrl', next.baseUrl, dirty);
    form.setValue('name', name, dirty);
    form.setValue('models', [...next.models], dirty);
    form.clearErrors(['type', 'name']);
  };
  const nameOf = ({ type, preset }: ChosenProvider): string => {
    const vendor = vendors.find(({ id }) => id === (preset?.id ?? String(type)));
    return vendor === undefined ? '' : freeName(vendor.name, names.data ?? NO_NAMES);
  };
  return {
    choose: (chosen: ChosenProvider) => {
      isByHand.current = true;
      put(chosen);
    },
    recognise: (key: string) => {
      if (!isNew || isByHand.current) return;
      const found = vendorOfKey(vendors, key);
      if (found === undefined) return;
      const { type, vendor } = form.getValues();
      if (String(found.type) !== type || (found.preset?.id ?? '') !== (vendor['preset'] ?? '')) put(found);
    },
  };
}
