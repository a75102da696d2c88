/** Kinds of things that charges are summed by. */
export type ReferenceKind = 'token' | 'channel';
