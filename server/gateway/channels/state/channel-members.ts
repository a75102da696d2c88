import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { VendorSwitch } from '../../../relay-core/providers/channel-form.js';
import { PRESET_MEMBER, PRESETS } from '../../../relay-core/providers/presets/presets.js';
import { vendorSwitches } from './channel-types.js';

/** Form of a member of a channel's document. */
type MemberForm = 'flag' | 'text' | Seconds | Path | readonly string[];
type Path = NonNullable<VendorSwitch['path']>;

/** Whole seconds. */
interface Seconds {
  readonly most: number;
}

/** Longest time a channel's replies are read on without their clients. */
export const MAX_ABANDONED_READ_SECONDS = 600;

/** Members of `setting`, see readSettings in channel-snapshot.ts. */
const SETTING_MEMBERS: ReadonlyMap<string, MemberForm> = new Map<string, MemberForm>([
  ['proxy', 'text'],
  ['system_prompt', 'text'],
  ['system_prompt_override', 'flag'],
  ['force_format', 'flag'],
  ['thinking_to_content', 'flag'],
  ['pass_through_body_enabled', 'flag'],
  ['abandoned_read_seconds', { most: MAX_ABANDONED_READ_SECONDS }],
]);

/** Members of `settings`: what the forms of all types ask for, and what has no field of its own. */
const VENDOR_MEMBERS: ReadonlyMap<string, MemberForm> = new Map<string, MemberForm>([
  ...vendorSwitches().map(({ name, choices, path }) => [name, path ?? choices ?? 'flag'] as const),
  ['azure_responses_version', 'text'],
  [PRESET_MEMBER, PRESETS.map(({ id }) => id)],
]);

export const CLOSED_DOCUMENTS = { setting: SETTING_MEMBERS, settings: VENDOR_MEMBERS } as const;
export type ClosedDocument = keyof typeof CLOSED_DOCUMENTS;

/**
 * Holds a document against its members. Fails: channel_document_member, channel_document_value.
 * @param stored  the document before: what stands there already may stay
 */
export function checkMembers(
  name: ClosedDocument,
  document: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> = {},
): void {
  for (const [member, value] of Object.entries(document)) {
    if (Object.hasOwn(stored, member) && isDeepStrictEqual(stored[member], value)) continue;
    const form = CLOSED_DOCUMENTS[name].get(member);
    if (form === undefined) refuseMember(name, member);
    if (!fits(form, value)) refuseValue(name, member, expectedOf(form));
  }
}

export function refuseMember(document: string, member: string): never {
  throw new DomainError('channel_document_member', { document, member: member.slice(0, 100) });
}

export function refuseValue(document: string, member: string, expected: string): never {
  throw new DomainError('channel_document_value', { document, member: member.slice(0, 100), expected });
}

/** Empty texts mean "not set", whatever the choice. */
function fits(form: MemberForm, value: unknown): boolean {
  if (form === 'flag') return typeof value === 'boolean';
  if (isSeconds(form)) return isWholeWithin(value, form.most);
  if (typeof value !== 'string') return false;
  if (isPath(form)) return value === '' || form.pattern.test(value);
  return form === 'text' || value === '' || form.includes(value);
}

const isSeconds = (form: MemberForm): form is Seconds => typeof form === 'object' && 'most' in form;

const isPath = (form: MemberForm): form is Path => typeof form === 'object' && 'pattern' in form;

const isWholeWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;

const expectedOf = (form: MemberForm): string => {
  if (form === 'flag') return 'true | false';
  if (isSeconds(form)) return `0–${form.most}`;
  if (isPath(form)) return `"${form.example}"`;
  return form === 'text' ? '"…"' : form.map((choice) => `"${choice}"`).join(' | ');
};
