import type { Route } from '../../ports/channel-picker.js';
import { HOSTED_PRESETS } from './hosted-presets.js';
import { OWN_PRESETS } from './own-presets.js';
import { hostOf } from '../shared/base-address.js';
import type { Preset, PresetChat } from './preset.js';

/** Member of a channel's `settings` that names its preset. */
export const PRESET_MEMBER = 'preset';

/** Every preset, by name. */
export const PRESETS: readonly Preset[] = [...HOSTED_PRESETS, ...OWN_PRESETS].toSorted((left, right) =>
  left.name.localeCompare(right.name, 'en'),
);

const BY_ID: ReadonlyMap<string, Preset> = new Map(PRESETS.map((preset) => [preset.id, preset]));

/** Undefined = there is no such preset, or no longer. */
export const findPreset = (id: unknown): Preset | undefined =>
  typeof id === 'string' ? BY_ID.get(id) : undefined;

/** The preset of a channel; undefined = it is an ordinary one, or its type is another by now. */
export function presetOf({
  channelType,
  settings,
}: Pick<Route, 'channelType' | 'settings'>): Preset | undefined {
  const preset = findPreset(settings.vendor?.[PRESET_MEMBER]);
  return preset?.type === channelType ? preset : undefined;
}

const BY_HOST: ReadonlyMap<string, Preset> = new Map(
  HOSTED_PRESETS.map((preset) => [hostOf(preset) ?? '', preset]),
);

type Addressed = Pick<Route, 'baseUrl' | 'channelType' | 'settings'>;

/** Preset of the vendor behind a channel, by its name, else by the host of its address. */
function vendorPresetOf(route: Addressed): Preset | undefined {
  const named = presetOf(route);
  if (named !== undefined) return named;
  const hosted = BY_HOST.get(hostOf(route) ?? '');
  return hosted?.type === route.channelType ? hosted : undefined;
}

/** Chats of the vendor behind a channel; undefined = as those of its type. */
export const presetChatOf = (route: Addressed): PresetChat | undefined => vendorPresetOf(route)?.chat;

/** Returns true where the vendor behind a channel is known to take `top_k` in a chat. */
export const takesTopK = (route: Addressed): boolean => vendorPresetOf(route)?.takesTopK === true;
