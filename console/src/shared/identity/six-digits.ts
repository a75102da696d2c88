/** People type codes in groups. */
export const withoutGaps = (text: string): string => text.replace(/[\s-]/g, '');

/** A code of an authenticator app, as it may be typed. */
export const isSixDigits = (text: string): boolean => /^\d{6}$/.test(withoutGaps(text));
