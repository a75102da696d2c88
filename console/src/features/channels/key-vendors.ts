import { isRecord, parseJson } from '../../shared/format/json';
import type { ChannelPreset, ChannelType } from './api';

/** A vendor to choose for a key. */
export interface KeyVendor {
  /** Number of its channel type, or the id of its preset. */
  readonly id: string;
  readonly name: string;
  /** Code of the type that its channels are stored as. */
  readonly type: number;
  /** Address that its key is sent to; empty = the operator has to name one. */
  readonly address: string;
  /** True when the type already stands for `address`, so that a channel need not store it. */
  readonly isTypeAddress: boolean;
  /** Beginnings of keys that this vendor alone issues. */
  readonly prefixes: readonly string[];
  /** Member `type` of a key that is a JSON document; empty = none. */
  readonly documentType: string;
  /** Present for a vendor that is stored as a channel of another type. */
  readonly preset?: ChannelPreset;
}

/** Type whose base address is the complete one. */
const CUSTOM = 8;

/** Every vendor that is offered for new channels, sorted by name. @param customName  name of the type without a vendor */
export function keyVendors(
  types: readonly ChannelType[],
  presets: readonly ChannelPreset[],
  customName: string,
): KeyVendor[] {
  const ofTypes = types
    .filter((type) => type.is_offered)
    .map((type) => ({
      id: String(type.code),
      name: type.code === CUSTOM ? customName : type.name,
      type: type.code,
      address: type.base_url,
      isTypeAddress: true,
      prefixes: type.key_prefixes,
      documentType: type.key_document_type,
    }));
  const ofPresets = presets.map((preset) => ({
    id: preset.id,
    name: preset.name,
    type: preset.type,
    address: preset.base_url,
    isTypeAddress: false,
    prefixes: preset.key_prefix === '' ? [] : [preset.key_prefix],
    documentType: '',
    preset,
  }));
  // A type knows more of its vendor than a preset of the same name, so it stands first.
  return [...ofTypes, ...ofPresets].toSorted((left, right) => left.name.localeCompare(right.name));
}

/** The vendor that alone issues keys like this one; undefined = several may have issued it. */
export function vendorOfKey(vendors: readonly KeyVendor[], key: string): KeyVendor | undefined {
  const text = key.trim();
  if (text.startsWith('{')) {
    const document = parseJson(text);
    const type = isRecord(document) ? document['type'] : undefined;
    return vendors.find(({ documentType }) => documentType !== '' && documentType === type);
  }
  return vendors.find(({ prefixes }) =>
    prefixes.some((prefix) => text.startsWith(prefix) && text.length > prefix.length),
  );
}

/** The first free name: the wanted one, else with the next number behind it. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

/** Two letters for a name: the initials of its first two words, or the beginning of a single word. */
export function markOf(name: string): string {
  const [first = '', second] = name.replaceAll(/[()]/g, '').split(/\s+|(?<=[a-z])(?=[A-Z])/);
  return second === undefined ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
}

/** Found options in their order, those whose name begins with the text first: the first one is what Enter chooses. */
export function byBeginning<T>(found: readonly T[], text: string, nameOf: (option: T) => string): T[] {
  const wanted = text.trim().toLowerCase();
  const begins = (option: T) => nameOf(option).toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}
