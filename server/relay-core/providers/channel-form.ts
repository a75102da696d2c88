/** Forms a key takes. */
export const KEY_FORMATS = [
  ...(['token', 'any', 'json', 'access_keys_region', 'two_parts', 'three_parts', 'id_secret'] as const),
  ...(['app_key', 'token_or_three_parts'] as const),
] as const;
export type KeyFormat = (typeof KEY_FORMATS)[number];

/** Meanings of the field `other`. */
export const OTHER_MEANINGS = [
  ...([
    'none',
    'api_version',
    'region',
    'account_id',
    'bot_id',
    'library_id',
    'plugin',
    'model_version',
  ] as const),
] as const;
export type OtherMeaning = (typeof OTHER_MEANINGS)[number];

/** Switches of a vendor's adapter in the document `settings`. */
export interface VendorSwitch {
  readonly name: string;
  /** Absent = on or off. */
  readonly choices?: readonly string[];
  /** Present: a path of the channel's address, or empty. */
  readonly path?: { readonly pattern: RegExp; readonly example: string };
}

export interface ChannelTypeForm {
  readonly keyFormat: KeyFormat;
  /** Example of a key, with words in the place of secrets. */
  readonly keyExample: string;
  /** Beginnings of keys that this vendor alone issues; absent = none is known. */
  readonly keyPrefixes?: readonly string[];
  /** Member `type` of a key that is a JSON document of this vendor alone; absent = its keys are no such documents. */
  readonly keyDocumentType?: string;
  readonly other: OtherMeaning;
  readonly otherExample: string;
  readonly needsOther: boolean;
  readonly needsAddress: boolean;
  /** Example of an address, where one has to be named. */
  readonly addressExample: string;
  /** False: kept for channels of other installations, not offered for new ones. */
  readonly isOffered: boolean;
  readonly switches: readonly VendorSwitch[];
  /** The first fault of a composite key; absent = parts as in `keyExample`, where the format has parts. */
  readonly checkKey?: (key: string) => KeyFault | undefined;
  /** True for a key that has to be a JSON document; absent = when it begins as one. */
  readonly isJsonKey?: (key: string) => boolean;
  /** `Bearer ` in front of a key is part of it. */
  readonly keepsBearer?: true;
  /** The value of `other` of a channel that names none; absent = it stays empty. */
  readonly defaultOther?: string;
  /** `other` becomes part of an address: one segment or host label. */
  readonly otherIsAddressPart?: true;
  /** The fault of `other`; absent = as `needsOther` and `otherIsAddressPart` require. */
  readonly checkOther?: (other: string) => OtherFault | undefined;
  /** The address is that of a call, with its query. */
  readonly addressIsComplete?: true;
}

/** Name of a part that is missing or wrong, and the form it belongs to. */
export interface KeyFault {
  readonly form: string;
  readonly part: string;
}

export type OtherFault = 'region-missing' | 'invalid';

/** Alphabet of a value that becomes one segment or host label of an address. */
export const ADDRESS_PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A kind of channel, as stored in channel rows. */
export interface ChannelType {
  /** Never used twice, since rows imported from other gateways keep theirs. 28 to 30 and 32 are unused. */
  readonly code: number;
  /** Shown to people. */
  readonly name: string;
  /** `gen_ai.provider.name` of the semantic conventions; absent = `name`, in lower case. */
  readonly telemetryName?: string;
  /** Differences from a form with one plain key. */
  readonly form?: Partial<ChannelTypeForm>;
}

export const TOKEN_FORM: ChannelTypeForm = {
  keyFormat: 'token',
  keyExample: 'sk-…',
  other: 'none',
  otherExample: '',
  needsOther: false,
  needsAddress: false,
  addressExample: 'http://localhost:8000',
  isOffered: true,
  switches: [],
};
/** Members that cost more, or reveal more, than the operator may expect; they are taken out of bodies unless allowed. */
export const OPENAI_SWITCHES: readonly VendorSwitch[] = [
  { name: 'allow_service_tier' },
  { name: 'allow_safety_identifier' },
  { name: 'disable_store' },
];

const SEGMENTS = '(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]{1,60}){0,8}';
/** Paths of other APIs at the same address and key. */
export const FORMAT_PATHS: readonly VendorSwitch[] = [
  { name: 'responses_path', path: { pattern: RegExp(`^${SEGMENTS}/responses$`), example: '/v1/responses' } },
  {
    name: 'messages_path',
    path: { pattern: RegExp(`^${SEGMENTS}/messages$`), example: '/anthropic/v1/messages' },
  },
  { name: 'gemini_path', path: { pattern: RegExp(`^${SEGMENTS}/v\\d[a-z0-9]{0,15}$`), example: '/v1beta' } },
];
