import { readField, type ScannedObject } from '../../../framing/json-splice.js';

/** How vendors call their usual class of service (OpenAI, Anthropic, Groq, Bedrock, Vertex; their API pages, read 2026-11-21). */
const USUAL: ReadonlySet<string> = new Set(['default', 'standard', 'standard_only', 'on_demand', 'auto']);
/** Vertex names the kind of traffic: `ON_DEMAND_PRIORITY`. */
const TRAFFIC = /^on_demand_/;
const TIER = /^[a-z0-9_-]{1,32}$/;

/** Class of service an answer names, lower case. @returns undefined = the usual one, or nothing readable */
export function readServiceTier(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase().replace(TRAFFIC, '');
  return USUAL.has(name) || !TIER.test(name) ? undefined : name;
}

/** Class of service a request asks for; `auto` leaves it to the vendor. */
export function requestedServiceTier(document: ScannedObject): { readonly serviceTier?: string } {
  if (!document.members.has('service_tier')) return NONE;
  const asked = readField(document, 'service_tier');
  if (asked === 'auto') return { serviceTier: 'auto' };
  const serviceTier = readServiceTier(asked);
  return serviceTier === undefined ? NONE : { serviceTier };
}

const NONE = {};
