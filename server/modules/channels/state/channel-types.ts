import { Injectable } from '@nestjs/common';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { OPENAI_COMPATIBLE_PROFILES } from '../../../relay-core/providers/openai-compatible/openai-compatible.profiles.js';
import {
  CHANNEL_TYPE_NAMES,
  findProvider,
  isServedType,
  PROVIDERS,
} from '../../../relay-core/providers/registry.js';
import { UNSERVED_TYPES } from '../../../relay-core/providers/unserved-types.js';
import { type Operation, OPERATIONS } from '../../../relay-core/model/operation.js';
import type { ChannelTypeFacts } from './channel-rules.js';

/** Words that stand for an address in the base address field, such as the names of coding plans. */
const NAMED_ADDRESSES: ReadonlyMap<string, string> = new Map(
  OPENAI_COMPATIBLE_PROFILES.flatMap((profile) => Object.entries(profile.namedBases ?? {})),
);

/** What the console needs to know about channel types; the facts are the relay's own. */
@Injectable()
export class ChannelTypes implements ChannelTypeFacts {
  /** Codes of every type that is served. */
  codes(): number[] {
    return PROVIDERS.flatMap((provider) => provider.typeCodes).toSorted((a, b) => a - b);
  }

  /** True also for types that are not served: channels imported from elsewhere keep their code. */
  isKnown(type: number): boolean {
    return CHANNEL_TYPE_NAMES.has(type);
  }

  isServed(type: number): boolean {
    return isServedType(type);
  }

  nameOf(type: number): string {
    return CHANNEL_TYPE_NAMES.get(type) ?? '';
  }

  defaultBaseUrl(type: number): string {
    const provider = findProvider(type);
    return provider.ok ? provider.value.defaultBaseUrl : (UNSERVED_TYPES.get(type)?.defaultBaseUrl ?? '');
  }

  namedAddress(word: string): string | undefined {
    return NAMED_ADDRESSES.get(word);
  }

  namedAddressesOf(type: number): string[] {
    const profile = OPENAI_COMPATIBLE_PROFILES.find(({ typeCodes }) =>
      typeCodes.some((code) => code === type),
    );
    return Object.keys(profile?.namedBases ?? {});
  }

  operationsOf(type: number): Operation[] {
    const provider = findProvider(type);
    return provider.ok
      ? OPERATIONS.filter((operation) => provider.value.operations[operation] !== undefined)
      : [];
  }

  /** Whether the vendor says which models it has. */
  listsModels(type: number): boolean {
    const provider = findProvider(type);
    return provider.ok && provider.value.modelListAddress(emptyRoute(type)) !== undefined;
  }

  /** Built-in model names; empty = to be fetched or typed. */
  modelsOf(type: number): readonly string[] {
    const provider = findProvider(type);
    return provider.ok ? provider.value.defaultModels : (UNSERVED_TYPES.get(type)?.defaultModels ?? []);
  }
}

/** A channel of which only the type is known. */
const emptyRoute = (type: number): Route => ({
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
