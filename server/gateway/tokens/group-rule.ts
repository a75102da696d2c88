import type { OptionValues } from '../../base/options/option-catalogue.js';

/** An account may always use its own group; one that is named must be offered to it and have a price factor. */
export function groupRule(
  { GroupRatio: ratios, UserUsableGroups: usable }: Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups'>,
  userGroup: string,
  named: string,
): 'usable' | 'unusable' | 'unknown' {
  if (named === '') return 'usable';
  if (named !== userGroup && !Object.hasOwn(usable, named)) return 'unusable';
  return Object.hasOwn(ratios, named) ? 'usable' : 'unknown';
}
