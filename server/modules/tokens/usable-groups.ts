/** The two options that say which groups there are, and which of them users may choose. */
export interface GroupOptions {
  readonly GroupRatio: Readonly<Record<string, number>>;
  readonly UserUsableGroups: Readonly<Record<string, string>>;
}

/** Groups an account may use: those open to users that have a price factor, and always its own (console API 15.1). */
export function usableGroups(options: GroupOptions, ownGroup: string): ReadonlySet<string> {
  const priced = new Set(Object.keys(options.GroupRatio));
  const open = Object.keys(options.UserUsableGroups).filter((group) => priced.has(group));
  return new Set([...open, ownGroup]);
}
