import { DomainError } from '../../../common/errors/domain-error.js';
import { formOfType } from '../state/channel-types.js';

const PART_FORMATS: ReadonlySet<string> = new Set(['two_parts', 'three_parts', 'token_or_three_parts']);

/**
 * Checks the parts of a composite key when it is typed: otherwise the first caller would get the error.
 * Fails: channel_key_part naming the part.
 */
export function checkKeyForm(key: string, type: number): void {
  const { checkKey, keyFormat, keyExample } = formOfType(type);
  if (checkKey !== undefined) {
    const fault = checkKey(key);
    if (fault === undefined) return;
    throw wrongPart(fault.form, fault.part);
  }
  if (keyFormat === 'token_or_three_parts' && !key.includes('|')) return;
  if (!PART_FORMATS.has(keyFormat)) return;
  const names = keyExample.split('|');
  const parts = key.split('|').map((part) => part.trim());
  const missing = names.findIndex((_name, index) => (parts[index] ?? '') === '');
  const name = missing === -1 ? undefined : names[missing];
  if (name !== undefined) throw wrongPart(keyExample, name);
  if (parts.length > names.length)
    throw wrongPart(
      keyExample,
      parts
        .slice(names.length)
        .map(() => '…')
        .join('|'),
    );
}

const wrongPart = (form: string, part: string): DomainError =>
  new DomainError('channel_key_part', { form, part });
