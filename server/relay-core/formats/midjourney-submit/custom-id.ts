/** What a button of a drawing does, by the first letters of its verb; the longest of them decides. */
const VERBS: readonly (readonly [verb: string, action: string])[] = [
  ['low_variation', 'LOW_VARIATION'],
  ['high_variation', 'HIGH_VARIATION'],
  ['variation', 'VARIATION'],
  ['upsample', 'UPSCALE'],
  ['reroll', 'REROLL'],
  ['pan_', 'PAN'],
  ['outpaint', 'ZOOM'],
  ['customzoom', 'CUSTOM_ZOOM'],
  ['inpaint', 'INPAINT'],
];

/**
 * The action behind a button (`MJ::JOB::upsample::2::…`, `MJ::CustomZoom::…`).
 * @returns undefined for a button nobody knows
 */
export function actionOfButton(customId: string): string | undefined {
  const parts = customId.split('::');
  const verb = (parts[1] === 'JOB' ? parts[2] : parts[1])?.toLowerCase();
  if (verb === undefined) return undefined;
  return VERBS.find(([beginning]) => verb.startsWith(beginning))?.[1];
}

/** The letter and number of a simple change: `1320098173412546 U2`. */
const SIMPLE_CHANGE = /^(\S{1,128})\s+(?:([UV])([1-4])|R)$/i;

/** @returns undefined when it does not read so */
export function readSimpleChange(
  content: string,
): { readonly taskId: string; readonly action: string } | undefined {
  const match = SIMPLE_CHANGE.exec(content.trim());
  if (match === null) return undefined;
  const letter = match[2]?.toUpperCase();
  const action = letter === 'U' ? 'UPSCALE' : letter === 'V' ? 'VARIATION' : 'REROLL';
  return { taskId: match[1] as string, action };
}
