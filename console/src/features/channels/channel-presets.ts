import { useQuery } from '@tanstack/react-query';
import { isRecord, parseJson } from '../../shared/format/json';
import { channelPresetsQuery, type Channel, type ChannelPreset } from './api';
import type { VendorValue } from './channel.types';

const NO_PRESETS: readonly ChannelPreset[] = [];

/** Vendors and programs without a type of their own, by name; empty until they are loaded. */
export function useChannelPresets(): readonly ChannelPreset[] {
  return useQuery(channelPresetsQuery).data ?? NO_PRESETS;
}

/** The preset that values of the form name; undefined = none, or one of another type. */
export function findPreset(
  presets: readonly ChannelPreset[],
  type: number,
  id: unknown,
): ChannelPreset | undefined {
  return presets.find((preset) => preset.id === id && preset.type === type);
}

/** The preset of a stored channel. */
export function presetOfChannel(
  presets: readonly ChannelPreset[],
  channel: Pick<Channel, 'type' | 'settings'>,
): ChannelPreset | undefined {
  const settings = parseJson(channel.settings);
  return isRecord(settings) ? findPreset(presets, channel.type, settings['preset']) : undefined;
}

/** Fields of the form that a preset fills in. */
export interface PresetFields {
  readonly type: string;
  readonly vendor: Readonly<Record<string, VendorValue | undefined>>;
  readonly baseUrl: string;
  readonly name: string;
  readonly models: readonly string[];
}

/** Values after a type or a preset was chosen. Values of the preset before go with it; typed ones stay. */
export function chosenValues(
  before: PresetFields,
  old: ChannelPreset | undefined,
  next: { readonly type: number; readonly preset?: ChannelPreset | undefined },
): PresetFields {
  const { preset } = next;
  const vendor = { ...before.vendor };
  for (const [member, path] of Object.entries(old?.paths ?? {}))
    if (vendor[member] === path) vendor[member] = '';
  Object.assign(vendor, preset?.paths);
  if (preset !== undefined || vendor['preset'] !== undefined) vendor['preset'] = preset?.id ?? '';
  const isOwnAddress = before.baseUrl !== '' && before.baseUrl !== old?.base_url;
  const isOwnName = before.name.trim() !== '' && before.name !== old?.name;
  return {
    type: String(next.type),
    vendor,
    baseUrl: isOwnAddress ? before.baseUrl : (preset?.base_url ?? ''),
    name: isOwnName ? before.name : (preset?.name ?? ''),
    models: isOwnList(before.models, old) ? before.models : (preset?.models ?? []),
  };
}

/** Models that were typed or fetched, other than those the preset before has filled in. */
const isOwnList = (models: readonly string[], old: ChannelPreset | undefined): boolean =>
  models.length > 0 && models.join() !== old?.models.join();
