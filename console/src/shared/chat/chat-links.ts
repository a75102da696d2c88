import { useMemo } from 'react';
import { useStatus } from '../session/status';

/** A chat page the operator offers, with places for the address and the key of the person who opens it. */
export interface ChatLink {
  readonly name: string;
  /** Holds `{address}` and `{key}`. */
  readonly template: string;
}

/** The configured chat pages, in their order; 'broken' when they are not a list of one-member maps from name to template. */
export function readChatLinks(chats: unknown): readonly ChatLink[] | 'broken' {
  if (!Array.isArray(chats)) return 'broken';
  const links: ChatLink[] = [];
  for (const chat of chats as readonly unknown[]) {
    const [member, ...more] = typeof chat === 'object' && chat !== null ? Object.entries(chat) : [];
    if (member === undefined || more.length > 0 || typeof member[1] !== 'string') return 'broken';
    links.push({ name: member[0], template: member[1] });
  }
  return links;
}

export function useChatLinks(): readonly ChatLink[] | 'broken' {
  const chats = useStatus()?.chats;
  return useMemo(() => readChatLinks(chats ?? []), [chats]);
}

/** @param place.key  as clients send it, `sk-` included */
export const fillChatLink = (
  { template }: ChatLink,
  place: { readonly address: string; readonly key: string },
): string =>
  // Functions, since an address or a key may hold what `replaceAll` reads as a pattern.
  template
    .replaceAll('{address}', () => encodeURIComponent(place.address))
    .replaceAll('{key}', () => place.key);

/** A page of the web; others (`ama://…`) are apps on the reader's machine, which no frame can show. */
export const isWebLink = ({ template }: ChatLink): boolean => /^https?:\/\//i.test(template);
