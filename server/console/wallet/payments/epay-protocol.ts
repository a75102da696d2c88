import { createHash, timingSafeEqual } from 'node:crypto';
import { MIN_EPAY_KEY_BYTES } from '../../../base/options/epay-merchant.js';

/** Parameters of the epay protocol, as text. */
export type EpayFields = Readonly<Record<string, string>>;

const MAX_FIELDS = 50;
const UNSIGNED = new Set(['sign', 'sign_type']);
/** A separator inside a value would let two different sets of fields have one signature. */
const AMBIGUOUS = /[&=\p{Cc}]/u;
const REQUIRED = ['pid', 'trade_no', 'out_trade_no', 'type', 'money', 'trade_status'] as const;

/**
 * Signature of the epay protocol: fields with a value, without sign and sign_type, sorted by name in byte
 * order, joined raw, the key appended, MD5, lower-case hexadecimal. The protocol has nothing better than MD5.
 */
export function signEpay(fields: EpayFields, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => value !== '' && !UNSIGNED.has(name))
    .sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5')
    .update(text + key)
    .digest('hex');
}

/** @returns the fields with their signature; null when a value could be read as something else */
export function signedFields(fields: EpayFields, key: string): EpayFields | null {
  if (Object.values(fields).some((value) => AMBIGUOUS.test(value))) return null;
  return { ...fields, sign_type: 'MD5', sign: signEpay(fields, key) };
}

export type EpayNotice =
  | { readonly kind: 'genuine'; readonly fields: Readonly<Record<(typeof REQUIRED)[number], string>> }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): EpayNotice => ({ kind: 'refused', reason });

/**
 * Reads a notification and proves that it is the merchant's payment service that wrote it.
 * @param text  query string or form body, undecoded
 */
export function readEpayNotice(
  text: string,
  merchant: { readonly id: string; readonly key: string },
): EpayNotice {
  if (merchant.id === '' || Buffer.byteLength(merchant.key) < MIN_EPAY_KEY_BYTES)
    return refused('payment is not configured');
  const fields = readFields(text);
  if (typeof fields === 'string') return refused(fields);
  const sign = fields['sign'] ?? '';
  if (!isEqual(signEpay(fields, merchant.key), sign.toLowerCase())) return refused('wrong signature');
  if (!['MD5', undefined].includes(fields['sign_type'])) return refused('unknown kind of signature');
  const missing = REQUIRED.find((name) => (fields[name] ?? '') === '');
  if (missing !== undefined) return refused(`no ${missing}`);
  if (fields['pid'] !== merchant.id) return refused('another merchant');
  const { pid = '', trade_no = '', out_trade_no = '', type = '', money = '', trade_status = '' } = fields;
  return { kind: 'genuine', fields: { pid, trade_no, out_trade_no, type, money, trade_status } };
}

/** @returns the fields, or why they cannot be read */
function readFields(text: string): EpayFields | string {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return 'a field given twice';
    if (!/^\w{1,64}$/.test(name)) return 'a field with an unusual name';
    if (AMBIGUOUS.test(value)) return 'a value with a separator';
    if (fields.size >= MAX_FIELDS) return 'too many fields';
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
