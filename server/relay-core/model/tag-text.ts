/** Most code points of a tag or an end user. */
export const MOST_TAG_CHARACTERS = 64;
/** Most tags of one call, those of its token included. */
export const MOST_TAGS = 10;

/** Text that is read at most: a longer one is cut anyway. */
const MOST_READ = 4_096;
const BREAKS = /[\s\u0085\u2028\u2029]+/gu;
/** Control characters, halves of pairs, and marks that change the direction of the text after them. */
const UNWANTED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
const SEPARATOR = /[,，]/u;

export interface TagText {
  /** Empty = nothing was left. */
  readonly text: string;
  /** The text was longer than `MOST_TAG_CHARACTERS`. */
  readonly isCut: boolean;
}

/**
 * The one rule for tags and end users: NFC, white space as one blank, no control characters, no blanks around it, 64 code points at most. Case
 * counts.
 */
export function tagText(raw: string): TagText {
  const clean = raw.slice(0, MOST_READ).replace(BREAKS, ' ').replace(UNWANTED, '').normalize('NFC').trim();
  if (clean.length <= MOST_TAG_CHARACTERS) return { text: clean, isCut: false };
  const characters = Array.from(clean);
  if (characters.length <= MOST_TAG_CHARACTERS) return { text: clean, isCut: false };
  return { text: characters.slice(0, MOST_TAG_CHARACTERS).join('').trim(), isCut: true };
}

/** Elements of a comma list as they were written. */
export const splitTags = (list: string): string[] => list.slice(0, MOST_READ).split(SEPARATOR);

/** Tags as one text, in which no tag has a comma. */
export const joinTags = (tags: readonly string[]): string => tags.join(',');

/** Tags of a stored text. */
export const storedTags = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/** Kinds of marks of a call. */
export const TAG_KINDS = ['tag', 'end_user'] as const;
export type TagKind = (typeof TAG_KINDS)[number];

/** Kind and value of each tag of a call, and of its end user. @param tags  as stored */
export const marksOf = (tags: string, endUser: string): readonly (readonly [TagKind, string])[] => [
  ...storedTags(tags).map((tag) => ['tag', tag] as const),
  ...(endUser === '' ? [] : [['end_user', endUser] as const]),
];
