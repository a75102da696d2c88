/** The members of a comma list as the format writes it; blanks and repeats fall out. */
export function splitList(text: string | null | undefined): string[] {
  return [...new Set((text ?? '').split(',').map((part) => part.trim()))].filter((part) => part !== '');
}

export function joinList(parts: readonly string[]): string {
  return splitList(parts.join(',')).join(',');
}

/** Groups with `default` first, the rest by name. */
export function sortGroups(groups: readonly string[]): string[] {
  return [...groups].sort((a, b) => Number(b === 'default') - Number(a === 'default') || a.localeCompare(b));
}
