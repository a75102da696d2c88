/** Longest a word of the caller's is logged. */
const MAX_TERM_LENGTH = 32;

/** Size and quality as the log has them; `auto` = left to the vendor. */
export function imageTerms(size = 'auto', quality = 'auto'): string {
  return `size ${size.slice(0, MAX_TERM_LENGTH)}, quality ${quality.slice(0, MAX_TERM_LENGTH)}`;
}
