import { useQuery } from '@tanstack/react-query';
import { isRecord, parseJson } from '../../shared/format/json';
import { channelTypesQuery, type ChannelType } from './api';

const NO_TYPES: readonly ChannelType[] = [];

/** The kinds of upstream this gateway can call, by name; empty until they are there. */
export function useChannelTypes(): readonly ChannelType[] {
  return useQuery(channelTypesQuery).data ?? NO_TYPES;
}

export function findType(types: readonly ChannelType[], code: number): ChannelType | undefined {
  return types.find((type) => type.code === code);
}

/** Value of a vendor-specific setting in the form. */
export type VendorValue = string | boolean;

/** One key as this type wants it; the server judges what is in its parts. */
export function isKeyOfFormat(
  type: Pick<ChannelType, 'key_format'>,
  key: string,
  vendor: Readonly<Record<string, VendorValue | undefined>>,
): boolean {
  const parts = key.split('|').filter((part) => part.trim() !== '').length;
  switch (type.key_format) {
    case 'json':
      return vendor['vertex_key_type'] === 'api_key' || isRecord(parseJson(key));
    case 'access_keys_region':
      return parts >= 2 && parts <= 4;
    case 'two_parts':
      return parts === 2;
    case 'three_parts':
      return parts === 3;
    case 'token_or_three_parts':
      return parts === 3 || !key.includes('|');
    case 'id_secret':
    case 'app_key':
    case 'token':
    case 'any':
      return true;
  }
}

/** Keys of a field that may hold several: lines, or members of a JSON list; a JSON document is one key. */
export function keysIn(text: string): string[] {
  const whole = text.trim();
  if (whole === '') return [];
  const list = whole.startsWith('[') ? parseJson(whole) : undefined;
  if (Array.isArray(list))
    return list.map((key: unknown) => (typeof key === 'string' ? key : JSON.stringify(key)));
  if (whole.startsWith('{') && parseJson(whole) !== undefined) return [whole];
  return whole
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
