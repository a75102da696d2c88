import { currentUserId } from '../../../api/current-user';
import { draftPlace } from '../../../shared/session/kept-conversations';

const place = (): string => draftPlace(currentUserId());

export function readDraft(): string {
  try {
    return sessionStorage.getItem(place()) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(place());
    else sessionStorage.setItem(place(), text);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}
