/** Things acts are done to; others are shown by the name the server gives them. */
export const TARGET_TYPES = [
  'user',
  'channel',
  'option',
  'redemption',
  'order',
  'log',
  'mail',
  'audit',
  'alert',
  'job',
] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export function isTargetType(text: string): text is TargetType {
  return TARGET_TYPES.some((known) => known === text);
}
