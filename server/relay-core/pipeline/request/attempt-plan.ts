import type { ChannelSettings, Route } from '../../ports/channel-picker.js';

/** Ways of a call's bytes, each way on its own. */
export interface PathPlan {
  /** `splice`: the caller's bytes, with only what must change. `translate`: by way of the neutral model. */
  readonly request: 'splice' | 'translate';
  /** `bytes`: the upstream's bytes, untouched. `translate`: by way of the neutral model. */
  readonly reply: 'bytes' | 'translate';
  /** The channel's parameter override is merged over the body. */
  readonly overrides: boolean;
  /** The operator asked for the caller's bytes as they are. */
  readonly isForced?: true;
}

const TRANSLATED: PathPlan = { request: 'translate', reply: 'translate', overrides: true };
const FORCED: PathPlan = { request: 'splice', reply: 'bytes', overrides: false, isForced: true };
const BYTES: PathPlan = { request: 'splice', reply: 'bytes', overrides: false };

/**
 * Same format on both sides: bytes pass, unless the channel asks for something that needs the neutral model. The
 * operator's pass-through switch (global, or the channel's) wins over what the channel asks.
 */
export function choosePath(input: {
  readonly clientFormat: string;
  /** The caller's streams and the upstream's are framed alike. */
  readonly isSameFraming: boolean;
  /** The model's name asks for changes only the neutral model can make. */
  readonly adapts: boolean;
  /** Tools or the form of the answer are written in another way for the vendor, which the answer has to undo. */
  readonly changesAnswer?: boolean;
  readonly upstreamFormat: string;
  readonly route: Pick<Route, 'settings' | 'paramOverride'>;
  readonly passThroughRequests: boolean;
}): PathPlan {
  const { settings, paramOverride } = input.route;
  if (input.clientFormat !== input.upstreamFormat) return TRANSLATED;
  const isForced = input.passThroughRequests || settings.passThrough === true;
  if (isForced) return input.isSameFraming ? FORCED : { ...FORCED, reply: 'translate' };
  if (input.changesAnswer === true) return TRANSLATED;
  const injects = (settings.systemPrompt !== undefined && settings.systemPrompt !== '') || input.adapts;
  const rewrites =
    settings.forceFormat === true || settings.thinkingToContent === true || !input.isSameFraming;
  if (!injects && !rewrites && paramOverride === undefined) return BYTES;
  return {
    request: injects ? 'translate' : 'splice',
    reply: rewrites ? 'translate' : 'bytes',
    overrides: paramOverride !== undefined,
  };
}

/**
 * Members that make a call dearer than its quote, identify the caller to the vendor, or open what the operator keeps; they leave only
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
