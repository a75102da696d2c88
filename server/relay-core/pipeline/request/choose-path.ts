import type { Route } from '../../ports/channel-picker.js';

/** How a call's bytes travel, each way on its own. */
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
  readonly upstreamFormat: string;
  readonly route: Pick<Route, 'settings' | 'paramOverride'>;
  readonly passThroughRequests: boolean;
}): PathPlan {
  const { settings, paramOverride } = input.route;
  if (input.clientFormat !== input.upstreamFormat) return TRANSLATED;
  const isForced = input.passThroughRequests || settings.passThrough === true;
  if (isForced) return input.isSameFraming ? FORCED : { ...FORCED, reply: 'translate' };
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
