import type { Route } from '../../../relay-core/ports/channel-picker.js';
import {
  type ChannelTypeForm,
  TOKEN_FORM,
  type VendorSwitch,
} from '../../../relay-core/providers/channel-form.js';
import {
  CHANNEL_TYPES,
  findChannelType,
  findProvider,
  PROVIDERS,
} from '../../../relay-core/providers/registry.js';
import type { BalanceReader } from '../../../relay-core/providers/shared/balance.js';
import { UNSERVED_TYPES } from '../../../relay-core/providers/unserved-types.js';
import { type Operation, OPERATIONS } from '../../../relay-core/model/operation.js';

/** Words that stand for an address in the base address field, such as the names of coding plans. */
const NAMED_ADDRESSES: ReadonlyMap<string, string> = new Map(
  PROVIDERS.flatMap(({ namedBases }) => Object.entries(namedBases ?? {})),
);

/** Codes of every type that is served. */
export const servedTypes = (): number[] =>
  PROVIDERS.flatMap(({ channelTypes }) => channelTypes.map(({ code }) => code)).toSorted((a, b) => a - b);

/** True also for types that are not served: channels imported from elsewhere keep their code. */
export const isKnownType = (type: number): boolean => findChannelType(type) !== undefined;

export const nameOfType = (type: number): string => findChannelType(type)?.name ?? '';

export function defaultBaseUrl(type: number): string {
  const provider = findProvider(type);
  return provider.ok ? provider.value.defaultBaseUrl : (UNSERVED_TYPES.get(type)?.defaultBaseUrl ?? '');
}

export const isNamedAddress = (word: string): boolean => NAMED_ADDRESSES.has(word);

/** Address of a channel: its own, or the one its word or its type stands for; empty = none. */
export const addressOf = ({ type, baseUrl }: { readonly type: number; readonly baseUrl: string }): string =>
  baseUrl === '' ? defaultBaseUrl(type) : (NAMED_ADDRESSES.get(baseUrl) ?? baseUrl);

export function namedAddressesOf(type: number): string[] {
  const provider = findProvider(type);
  return provider.ok ? Object.keys(provider.value.namedBases ?? {}) : [];
}

export function operationsOf(type: number): Operation[] {
  const provider = findProvider(type);
  return provider.ok
    ? OPERATIONS.filter((operation) => provider.value.operations[operation] !== undefined)
    : [];
}

/** True when the vendor has a model list. */
export function listsModels(type: number): boolean {
  const provider = findProvider(type);
  return provider.ok && provider.value.modelListAddress(emptyRoute(type)) !== undefined;
}

/** Reader of the credit that is left; undefined = the vendor reports none. */
export function balanceReaderOf(type: number): BalanceReader | undefined {
  const provider = findProvider(type);
  return provider.ok ? provider.value.balance : undefined;
}

/** Built-in model names; empty = to be fetched or typed. */
export function modelsOf(type: number): readonly string[] {
  const provider = findProvider(type);
  return provider.ok ? provider.value.defaultModels : (UNSERVED_TYPES.get(type)?.defaultModels ?? []);
}

/** Fields and rules of the form of a channel of this type. */
export function formOfType(type: number): ChannelTypeForm {
  const form = { ...TOKEN_FORM, ...findChannelType(type)?.form };
  return { ...form, switches: [...form.switches, FOREIGN_IDS] };
}

/** Permits requests for objects that a vendor keeps for the account of the channel, by their ids. */
const FOREIGN_IDS: VendorSwitch = { name: 'allow_foreign_ids' };

/** Every switch any type has: a channel may change its type and keep its document. */
export function vendorSwitches(): readonly VendorSwitch[] {
  const all = CHANNEL_TYPES.flatMap(({ form }) => form?.switches ?? []).concat(FOREIGN_IDS);
  return [...new Map(all.map((each) => [each.name, each])).values()];
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
