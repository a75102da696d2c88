import { isRecord } from '../shared/format/json';

const ELEMENT_ID = 'first-answers';

/** Answers the server writes into the page, so that a visit does not ask for them; unchecked. */
export interface FirstAnswers {
  readonly status?: unknown;
  readonly notice?: unknown;
  /** null: the browser has no valid session. Undefined: the server could not read it. */
  readonly user?: unknown;
}

/** Reads the data block of the page. Empty when the page has none, as with the development server. */
export function readFirstAnswers(): FirstAnswers {
  const text = document.getElementById(ELEMENT_ID)?.textContent;
  if (text == null) return {};
  try {
    const answers: unknown = JSON.parse(text);
    return isRecord(answers) ? answers : {};
  } catch {
    // A proxy changed the page: the console asks for itself.
    return {};
  }
}
