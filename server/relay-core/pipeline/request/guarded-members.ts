import type { ChannelSettings } from '../../ports/channel-picker.js';

/**
 * Members that make a call dearer than it was priced, tell the vendor who the caller is, or open what the operator keeps; they leave only
 * where the operator allowed it for the channel.
 */
const GUARDED: readonly (readonly [member: string, permission: string])[] = [
  ['service_tier', 'allow_service_tier'],
  ['inference_geo', 'allow_inference_geo'],
  ['speed', 'allow_speed'],
  ['safety_identifier', 'allow_safety_identifier'],
  // Searched with the rights of the channel's resource at Azure.
  ['data_sources', 'allow_foreign_ids'],
];

const BY_DEFAULT: readonly string[] = GUARDED.map(([member]) => member);

/** Top-level members to take out of a request to this channel. */
export function guardedFields({ vendor }: ChannelSettings): readonly string[] {
  if (vendor === undefined) return BY_DEFAULT;
  const members = GUARDED.filter(([, permission]) => vendor[permission] !== true).map(([member]) => member);
  return vendor['disable_store'] === true ? [...members, 'store'] : members;
}
