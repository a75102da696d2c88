import { DomainError } from '../../../common/errors/domain-error.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { Preset } from '../../../relay-core/providers/presets/preset.js';
import { findPreset, PRESET_MEMBER } from '../../../relay-core/providers/presets/presets.js';

/** Columns of a channel that its preset is about. */
export interface PresetColumns {
  readonly type: number;
  readonly baseUrl: string;
  readonly settings: string | null;
}

/** The preset that a stored channel names; undefined = none, one that is gone, or one of another type. */
export function presetOfColumns({ type, settings }: Omit<PresetColumns, 'baseUrl'>): Preset | undefined {
  const document = settings === null || settings === '' ? undefined : parseJson(settings);
  const preset = isJsonObject(document) ? findPreset(document[PRESET_MEMBER]) : undefined;
  return preset?.type === type ? preset : undefined;
}

/**
 * The address of a channel with a preset: its own, else the one of the preset. The address of the type is another vendor's, to which
 * the key must not go.
 * Fails: channel_base_url_required where the preset has none.
 */
export function addressWithPreset(channel: PresetColumns): string {
  if (channel.baseUrl !== '') return channel.baseUrl;
  const preset = presetOfColumns(channel);
  if (preset === undefined) return '';
  if (preset.baseUrl === '') throw new DomainError('channel_base_url_required');
  return preset.baseUrl;
}

/** A document without its preset: a channel whose preset is gone is an ordinary channel. */
export function withoutPreset(settings: string): string {
  const document = settings === '' ? undefined : parseJson(settings);
  if (!isJsonObject(document) || !(PRESET_MEMBER in document)) return settings;
  const { [PRESET_MEMBER]: _preset, ...rest } = document;
  return JSON.stringify(rest);
}
