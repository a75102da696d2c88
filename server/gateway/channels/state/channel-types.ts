import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { OPENAI_COMPATIBLE_PROFILES } from '../../../relay-core/providers/openai-compatible/profiles.js';
import { CHANNEL_TYPE_NAMES, findProvider, PROVIDERS } from '../../../relay-core/providers/registry.js';
import { UNSERVED_TYPES } from '../../../relay-core/providers/unserved-types.js';
import { type Operation, OPERATIONS } from '../../../relay-core/model/operation.js';

/** Words that stand for an address in the base address field, such as the names of coding plans. */
const NAMED_ADDRESSES: ReadonlyMap<string, string> = new Map(
  OPENAI_COMPATIBLE_PROFILES.flatMap((profile) => Object.entries(profile.namedBases ?? {})),
);

/** Codes of every type that is served. */
export const servedTypes = (): number[] =>
  PROVIDERS.flatMap((provider) => provider.typeCodes).toSorted((a, b) => a - b);

/** True also for types that are not served: channels imported from elsewhere keep their code. */
export const isKnownType = (type: number): boolean => CHANNEL_TYPE_NAMES.has(type);

export const nameOfType = (type: number): string => CHANNEL_TYPE_NAMES.get(type) ?? '';

export function defaultBaseUrl(type: number): string {
  const provider = findProvider(type);
  return provider.ok ? provider.value.defaultBaseUrl : (UNSERVED_TYPES.get(type)?.defaultBaseUrl ?? '');
}

export const isNamedAddress = (word: string): boolean => NAMED_ADDRESSES.has(word);

/** Where a channel is: its own address, or the one its word or its type stands for; empty = nowhere. */
export const addressOf = ({ type, baseUrl }: { readonly type: number; readonly baseUrl: string }): string =>
  baseUrl === '' ? defaultBaseUrl(type) : (NAMED_ADDRESSES.get(baseUrl) ?? baseUrl);

export function namedAddressesOf(type: number): string[] {
  const profile = OPENAI_COMPATIBLE_PROFILES.find(({ typeCodes }) => typeCodes.some((code) => code === type));
  return Object.keys(profile?.namedBases ?? {});
}

export function operationsOf(type: number): Operation[] {
  const provider = findProvider(type);
  return provider.ok
    ? OPERATIONS.filter((operation) => provider.value.operations[operation] !== undefined)
    : [];
}

/** Whether the vendor says which models it has. */
export function listsModels(type: number): boolean {
  const provider = findProvider(type);
  return provider.ok && provider.value.modelListAddress(emptyRoute(type)) !== undefined;
}

/** Built-in model names; empty = to be fetched or typed. */
export function modelsOf(type: number): readonly string[] {
  const provider = findProvider(type);
  return provider.ok ? provider.value.defaultModels : (UNSERVED_TYPES.get(type)?.defaultModels ?? []);
}

/** A channel of which only the type is known. */
export const emptyRoute = (type: number): Route => ({
  channelId: 0,
  channelName: '',
  channelType: type,
  baseUrl: '',
  credential: '',
  organization: '',
  other: '',
  upstreamModel: '',
  isModelMapped: false,
  paramOverride: undefined,
  headerOverride: undefined,
  statusMapping: undefined,
  settings: {},
  autoBan: false,
});
