import type { OptionValues } from './option-catalogue.js';

export const DEFAULT_GROUP = 'default';

export interface GroupView {
  readonly ratio: number;
  readonly desc: string;
}

/** True when calls of a group prefer native channels: the group's own setting, else the general one. */
export const prefersNative = (
  {
    NativeChannelsFirst,
    NativeChannelsFirstGroup: own,
  }: Pick<OptionValues, 'NativeChannelsFirst' | 'NativeChannelsFirstGroup'>,
  group: string,
): boolean => (Object.hasOwn(own, group) ? own[group] : undefined) ?? NativeChannelsFirst;

/** Existing groups that an account of `ownGroup` may choose: those open to all and its own. Never an entry with an empty name. */
export function usableGroupsOf(
  options: Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups' | 'GroupGroupRatio'>,
  ownGroup: string,
): Map<string, GroupView> {
  const described = { [ownGroup]: 'Your group', ...options.UserUsableGroups };
  const groups = new Map<string, GroupView>();
  for (const [name, desc] of Object.entries(described)) {
    const ratio = options.GroupRatio[name];
    if (name === '' || ratio === undefined) continue;
    // A factor agreed for the account's group replaces the group's own.
    groups.set(name, { ratio: options.GroupGroupRatio[ownGroup]?.[name] ?? ratio, desc });
  }
  return groups;
}
